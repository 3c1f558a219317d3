import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '../../support/customer.ts';
import type { Deadline } from '../../support/until.ts';
import { findFaultsOfProduct } from '../checks.ts';
import { findJobsLeft, hurryDeferred } from '../jobs.ts';
import { Product } from '../product.ts';
import { type RoundReport, runRound, type Surroundings } from '../round.ts';
import { interrupt, prepare } from './interrupt.ts';
import { kinds } from './kinds/index.ts';
import { Outside } from './outside.ts';
import { planRestarts } from './plan.ts';
import { insist, type Stage } from './stage.ts';

/** Work of every kind, while processes end by every kind of signal and start again. */
export async function runRestartRound(seed: number, around: Surroundings): Promise<RoundReport> {
  const { isSupervised, interruptions } = planRestarts(seed);
  const { server, issuer, folder, command } = around;
  const outside = await Outside.open();
  try {
    const furnish = (apiUrl: string) => outside.furnish(apiUrl);
    const options = { furnish, isSupervised, command, isMachineFaulty: false };
    const product = await Product.start(server, issuer, folder, options);
    return await runRound(product, around, async ({ events, deadline }) => {
      let isUneasy = false;
      const stageOf = (name: string): Stage => ({
        seed,
        product,
        outside,
        // Every kind of work asks the API whether it is done.
        deadline: deadline.lookingEvery(200),
        signUp: (credits = 0) => signUp(issuer, product, credits),
        insist: (call) => insist(deadline, call),
        note: (words) => events.push(`${name}: ${words}`),
        get isUneasy() {
          return isUneasy;
        },
      });
      const begun = await Promise.all(
        kinds.map(async ({ name, begin }) => ({ name, ...(await begin(stageOf(name))) })),
      );
      // Not before: the first command of this process has just loaded the code of the server.
      product.watchWorld();
      for (const [turn, planned] of interruptions.entries()) {
        await prepare(product, planned);
        isUneasy = true;
        const working = Promise.all(begun.map(({ work }) => work(turn)));
        // Prevents an unhandled rejection while processes end.
        working.catch(() => undefined);
        try {
          events.push(await interrupt(product, deadline, planned));
        } finally {
          isUneasy = false;
        }
        await working;
      }

      const hurrying = hurry(product);
      const faults: string[] = [];
      try {
        for (const { name, check } of begun) {
          for (const fault of await check()) faults.push(`${name}: ${fault}`);
        }
      } finally {
        await hurrying.stop();
      }
      await untilNoJobIsLeft(product, deadline);
      return [...faults, ...(await findFaultsOfProduct(product))];
    });
  } finally {
    await outside.close();
  }
}

async function untilNoJobIsLeft(product: Product, deadline: Deadline): Promise<void> {
  let left: Awaited<ReturnType<typeof findJobsLeft>> = [];
  const look = async () => {
    left = await findJobsLeft(product);
    return left.length === 0;
  };
  await deadline.until('no job is left', look).catch((cause: Error) => {
    throw new Error(`${cause.message} ${JSON.stringify(left)}`, { cause });
  });
}

/** Until it is stopped, no deferred job makes the round wait. */
function hurry(product: Product) {
  let isStopped = false;
  const hurrying = (async () => {
    while (!isStopped) {
      await hurryDeferred(product).catch(() => undefined);
      await pause(500);
    }
  })();
  return {
    stop: () => {
      isStopped = true;
      return hurrying;
    },
  };
}
