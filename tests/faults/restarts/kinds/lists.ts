import { randomUUID } from 'node:crypto';
import { expectedOf, findFaultsOfList } from '../../checks.ts';
import { writeListFile } from '../../list-file.ts';
import { turnCount } from '../plan.ts';
import type { Begun, Kind, Stage } from '../stage.ts';

/** A list of a file, from its upload to its settlement. One of more than a thousand rows runs on the thread for long lists. */
export const longList: Kind = {
  name: 'long lists',
  begin: async (stage) => {
    const list = await beginList(stage, 1_200);
    return { ...list, work: async (turn) => (turn === 0 ? list.work() : undefined) };
  },
};

/** Few and long ones: their addresses are not what these lists are for. */
const preparedRows = 100;

export const shortLists: Kind = {
  name: 'short lists',
  begin: async (stage) => {
    const lists = await Promise.all(Array.from({ length: turnCount }, () => beginList(stage, 120)));
    return {
      work: async (turn) => lists[turn]?.work(),
      check: async () => (await Promise.all(lists.map(({ check }) => check()))).flat(),
    };
  },
};

/** Lists whose rows a job copies: one that the call has counted, and one that the job counts too. */
export const preparedLists: Kind = {
  name: 'lists that are prepared',
  begin: async (stage) => {
    const lists = await Promise.all(
      [600_000, 2_200_000].map((bytes) => beginList(stage, preparedRows, bytes / preparedRows)),
    );
    return {
      work: async (turn) => lists[turn]?.work(),
      check: async () => (await Promise.all(lists.map(({ check }) => check()))).flat(),
    };
  },
};

async function beginList(
  { seed, product, deadline, signUp, insist }: Stage,
  rowCountMin: number,
  cellLength?: number,
): Promise<Begun & { work(): Promise<void> }> {
  const file = writeListFile(seed ^ rowCountMin, rowCountMin, { cellLength });
  // A new account has a thousand credits.
  const customer = await signUp(Math.max(0, file.rowCount - 1_000));
  const { createList, getList } = customer.client.validations;
  let list_id = '';
  return {
    work: async () => {
      const list_raw = new File([file.text], 'people.csv', { type: 'text/csv' });
      const idempotencyKey = randomUUID();
      list_id = (await insist(() => createList({ body: { list_raw }, idempotencyKey }))).id;
    },
    check: async () => {
      await deadline.until('a list is complete', async () => {
        return (await getList({ params: { list_id } })).status === 'COMPLETE';
      });
      const expected = await expectedOf(product, list_id, file);
      const { rowCount } = file;
      return findFaultsOfList(product, customer, list_id, { expected, rowCount }, { isFinished: false });
    },
  };
}
