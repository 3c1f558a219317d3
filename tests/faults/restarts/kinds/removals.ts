import { UnauthorizedError } from '@assay/client';
import type { Customer } from '../../../support/customer.ts';
import { addJob } from '../../jobs.ts';
import type { Kind, Stage } from '../stage.ts';

const rowCount = 60;

/** Work that is older than its customer wants to keep it. */
export const retention: Kind = {
  name: 'retention',
  begin: async (stage) => {
    const { product } = stage;
    const customer = await stage.signUp();
    await verifyList(stage, customer);
    await customer.client.records.setRetention({ body: { days: 30 } });
    return {
      work: async (turn) => {
        if (turn !== 1) return;
        await product.ask(
          `update lists set created_at = created_at - interval '40 days' where owner_id = $1`,
          [customer.id],
        );
        await addJob(product, 'account.apply-retention');
      },
      check: () => untilRemoved(stage, customer, 'account.apply-retention'),
    };
  },
};

/** An account that its customer deletes. */
export const closedAccount: Kind = {
  name: 'deleted accounts',
  begin: async (stage) => {
    const customer = await stage.signUp();
    await verifyList(stage, customer);
    return {
      work: async (turn) => {
        // In the first turn: it needs a recent sign-in.
        if (turn !== 0) return;
        const { deleteMe } = customer.client.users;
        await stage
          .insist(() => deleteMe())
          .catch((error: unknown) => {
            // The call had its effect, and its answer was lost.
            if (!(error instanceof UnauthorizedError)) throw error;
          });
      },
      check: () => untilRemoved(stage, customer),
    };
  },
};

async function verifyList({ deadline }: Stage, { client }: Customer): Promise<void> {
  const { createListFromEmails, getList } = client.validations;
  const emails = Array.from({ length: rowCount }, (_, row) => `staff.${row}@prompt-6.test`);
  const { id: list_id } = await createListFromEmails({ body: { emails } });
  await deadline.until('a list to remove is complete', async () => {
    return (await getList({ params: { list_id } })).status === 'COMPLETE';
  });
}

/** `schedule` is the job that does the removal at its next time, if it was interrupted. */
async function untilRemoved(
  { product, deadline }: Stage,
  { id }: Customer,
  schedule?: string,
): Promise<string[]> {
  await deadline.until('a list is removed with its rows', async () => {
    if (schedule) await addJob(product, schedule);
    await addJob(product, 'validations.sweep');
    const left = await product.ask(
      `select from lists where owner_id = $1 union all select from list_rows where owner_id = $1
       union all select from list_results where owner_id = $1 limit 1`,
      [id],
    );
    return left.length === 0;
  });
  return [];
}
