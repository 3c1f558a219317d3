import { signUp } from '../support/customer.ts';
import {
  countDeadLetters,
  expectedOf,
  findFaultsOfDeleted,
  findFaultsOfList,
  findFaultsOfProduct,
} from './checks.ts';
import { finish, pauseAndResume, remove } from './controls.ts';
import { runningFaults } from './faults.ts';
import { hurryDeferred } from './jobs.ts';
import { writeListFile } from './list-file.ts';
import { makeList } from './make-list.ts';
import { planRound } from './plan.ts';
import { Product } from './product.ts';
import { type RoundReport, runRound, type Surroundings } from './round.ts';

/** One list from its file to its settlement, with the faults of this seed. */
export async function runListRound(seed: number, around: Surroundings): Promise<RoundReport> {
  const file = writeListFile(seed);
  const plan = planRound(seed);
  const product = await Product.start(around.server, around.issuer, around.folder, {
    command: around.command,
  });
  return runRound(product, around, async ({ events, deadline }) => {
    events.push(`${file.rowCount} rows`);
    const customer = await signUp(around.issuer, product, file.rowCount);
    // Not before: the first command of this process has just loaded the code of the server.
    product.watchWorld();
    const list = await makeList({ product, customer, deadline, text: file.text, plan });
    events.push(`API killed ${plan.apiDies}, repeated by ${plan.repeatsBy}`);

    const controlled = { product, customer, deadline, listId: list.id, ending: plan.ending };
    for (const [index, { atShare, fault }] of plan.faults.entries()) {
      const enough = Math.floor(list.total_emails * atShare);
      const count = await deadline.until(`${enough} results are there`, () => countResults(product, enough));
      const met = await runningFaults[fault](product, deadline, plan);
      events.push(`${fault} at ${count} results${met && `, ${met}`}`);
      if (index === 0 && plan.control === 'paused and resumed') events.push(await pauseAndResume(controlled));
    }
    await deadline.until('all poison jobs are dead letters', async () => {
      const dead = await countDeadLetters(product);
      // More of them is a fault that the checks report at the end.
      return Object.entries(product.poisoned).every(([queue, count]) => (dead[queue] ?? 0) >= count);
    });
    if (plan.control === 'deleted') {
      events.push(await remove(controlled));
      const faults = await findFaultsOfDeleted(product, customer, list.id);
      return [...faults, ...(await findFaultsOfProduct(product))];
    }
    if (plan.control === 'finished') events.push(await finish(controlled));

    await deadline.lookingEvery(500).until('the list is complete', async () => {
      await hurryDeferred(product);
      const { status } = await customer.client.validations.getList({ params: { list_id: list.id } });
      return status === 'COMPLETE';
    });
    const { recipients } = product.world.conduct.total;
    const [bill] = await product.ask<{ questions: number }>(
      'select coalesce(sum(questions), 0)::int as questions from question_bills',
    );
    events.push(
      `hosts asked ${recipients} times for ${list.total_emails} addresses, ${bill?.questions} on the bill`,
    );
    const expected = await expectedOf(product, list.id, file);
    const lateCount = expected.UNKNOWN - file.expected.UNKNOWN;
    if (lateCount > 0) {
      const seconds = (product.worldLateMs / 1_000).toFixed(1);
      events.push(`${lateCount} time-outs, because the mail world was held up for ${seconds} s`);
    }
    const isFinished = plan.control === 'finished';
    const { rowCount } = file;
    const faults = await findFaultsOfList(product, customer, list.id, { expected, rowCount }, { isFinished });
    return [...faults, ...(await findFaultsOfProduct(product))];
  });
}

async function countResults(product: Product, enough: number): Promise<number | false> {
  const [row] = await product.ask<{ count: number }>('select count(*)::int as count from list_results');
  return row !== undefined && row.count >= enough && row.count;
}
