// Measures actions on one product until one misses a demand. It sends the figures of each to its parent.
import { constants, setPriority } from 'node:os';
import { onShutdown } from '../../support/shutdown.ts';
import { findAction } from './actions.ts';
import { failed, measureAction } from './measure.ts';
import { Metronome } from './metronome.ts';
import { Neighbour } from './neighbour.ts';
import { openScene } from './scene.ts';

export interface Order {
  /** Names of actions. */
  readonly names: readonly string[];
  /** How long each stranger works. */
  readonly seconds: number;
  /** Rows of the big list. */
  readonly rows: number;
}

const { names, seconds, rows } = JSON.parse(process.argv[2] ?? '{}') as Order;
const opened = new AsyncDisposableStack();
const tidyUp = () => opened.disposeAsync();
onShutdown(tidyUp);
process.once('disconnect', () => void tidyUp().finally(() => process.exit(1)));
const scene = await openScene({ rows });
opened.defer(() => scene.close());
const neighbour = new Neighbour();
opened.defer(() => neighbour.moveOut());
const metronome = new Metronome();
opened.defer(() => metronome.stop());
await neighbour.warmUp(scene.product);
// A stranger has a machine of their own. Here they share ours, so the product and the neighbour, which run already, go first. Only on
// Linux are priorities per thread.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

try {
  for (const action of names.flatMap((name) => findAction(name) ?? [])) {
    const measured = await measureAction({ scene, neighbour, metronome }, action, seconds).catch((error) =>
      failed(action, error),
    );
    const fallen = scene.product.processes.flatMap(({ fall, troubles }) =>
      fall ? [[fall, ...troubles.slice(-5)].join('\n')] : [],
    );
    const faults = [...measured.faults, ...fallen];
    process.send?.({ ...measured, faults });
    if (faults.length > 0) break;
  }
} finally {
  await tidyUp();
}
process.exit();
