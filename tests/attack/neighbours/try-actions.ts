import type { AttackedProduct } from '../product.ts';
import type { Action, Scene } from './action.ts';
import { actions, checkActions } from './actions.ts';
import { workBeside } from './measure.ts';
import { Neighbour } from './neighbour.ts';
import { elsewhereOf } from './scene.ts';

/** Cheap enough for `npm test`, and of every kind: read, write, sockets, slow receivers. */
const tried = ['openapi', 'docs-search', 'coupons', 'sign-ups', 'half-requests', 'sockets', 'webhook-tests'];
const phaseMs = 1_000;

/** Checks that no operation is without an action, and that actions and neighbour do what they should. It demands no times. */
export async function tryActions(product: AttackedProduct): Promise<string[]> {
  const faults = checkActions();
  const scene: Scene = {
    product,
    identityUrl: '',
    fromElsewhere: elsewhereOf(product),
    bigList: () => Promise.reject(new Error('These actions need no big list.')),
  };
  const neighbour = new Neighbour();
  try {
    await neighbour.moveIn(product);
    for (const action of actions.filter(({ name }) => tried.includes(name)))
      faults.push(
        ...(await tryAction({ scene, neighbour }, action)).map((fault) => `${action.name}: ${fault}`),
      );
  } finally {
    await neighbour.moveOut();
  }
  return faults;
}

async function tryAction(
  { scene, neighbour }: { readonly scene: Scene; readonly neighbour: Neighbour },
  action: Action,
): Promise<string[]> {
  const abuse = await action.prepare(scene);
  const answers: Record<string, number> = {};
  await workBeside(neighbour, action, abuse, { phase: 0, phaseMs, answers });
  await abuse.end?.();
  const samples = await neighbour.report();
  const silentKinds = (['me', 'check'] as const).filter(
    (kind) => !samples.some((sample) => sample.kind === kind && sample.outcome === 'answered'),
  );
  return [
    ...(Object.keys(answers).some((status) => status !== '0') ? [] : ['the stranger got no answer']),
    ...silentKinds.map((kind) => `no ${kind} of the neighbour was answered`),
  ];
}
