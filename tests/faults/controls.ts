import type { Customer } from '../support/customer.ts';
import type { Ending } from '../support/product-process.ts';
import type { Deadline } from '../support/until.ts';
import { countRuns, isWaiting, replaceWorkers, whileHeld } from './faults.ts';
import type { Product } from './product.ts';

interface Controlled {
  readonly product: Product;
  readonly customer: Customer;
  readonly deadline: Deadline;
  readonly listId: string;
  readonly ending: Ending;
}

/** Pauses the list, ends the workers, and resumes the list when no job runs any more. */
export async function pauseAndResume({
  product,
  customer,
  deadline,
  listId,
  ending,
}: Controlled): Promise<string> {
  const { pauseList, resumeList, getList } = customer.client.validations;
  const params = { list_id: listId };
  const { status } = await getList({ params });
  if (status === 'COMPLETE') return 'not paused: complete already';
  await pauseList({ params });
  const met = await replaceWorkers(product, ending);
  await deadline.until('no job runs', async () => (await countRuns(product)) === 0);
  const [before] = await product.ask<{ count: number }>('select count(*)::int as count from list_results');
  const asked = product.world.conduct.total.recipients;
  const { progress } = await getList({ params });
  const [after] = await product.ask<{ count: number }>('select count(*)::int as count from list_results');
  if (before?.count !== after?.count) throw new Error('a paused list got results without a job');
  if (asked !== product.world.conduct.total.recipients) throw new Error('a paused list asked mail hosts');
  await resumeList({ params });
  return `paused at ${progress} percent with workers ended ${met}, then resumed`;
}

/** Finishes the list. The workers end while they write rows that were not checked. */
export async function finish({ product, customer, deadline, listId, ending }: Controlled): Promise<string> {
  const { finishList } = customer.client.validations;
  const params = { list_id: listId };
  const { finishing, ended } = await whileHeld(
    product,
    'lock table list_results in share row exclusive mode',
    async () => {
      const finishing = await finishList({ params });
      if (finishing.status === 'COMPLETE') return { finishing, ended: Promise.resolve('') };
      await deadline.until('a worker waits to finish rows', () => isWaiting(product, 'assay worker'));
      const ended = replaceWorkers(product, ending);
      // Workers that end gracefully wait until we let go.
      if (ending === 'SIGKILL') await ended;
      return { finishing, ended };
    },
  );
  const met = await ended;
  return finishing.status === 'COMPLETE'
    ? 'not finished: complete already'
    : `finished at ${finishing.progress} percent, workers ended ${met}`;
}

export async function remove({ customer, listId }: Controlled): Promise<string> {
  const { deleteList, getList } = customer.client.validations;
  const { progress } = await getList({ params: { list_id: listId } });
  await deleteList({ params: { list_id: listId } });
  return `deleted at ${progress} percent`;
}
