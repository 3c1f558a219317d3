import type { Customer } from '../support/customer.ts';
import type { Deadline } from '../support/until.ts';

interface Rehearsal {
  readonly customer: Customer;
  readonly apiUrl: string;
  readonly deadline: Deadline;
  readonly askStandby: (statement: string) => Promise<Record<string, unknown>[]>;
}

const listCount = 5;
const addressCount = 60;

/**
 * Exports of lists as soon as the customer sees them complete: the standby answers them, and the primary does while the
 * standby replays nothing. Returns what is wrong.
 */
export async function rehearseReplica(rehearsal: Rehearsal): Promise<string[]> {
  const { askStandby, deadline } = rehearsal;
  const faults: string[] = [];
  for (let list = 1; list <= listCount; list += 1)
    faults.push(...(await exportAtOnce(rehearsal, `export ${list} at the standby`)));
  await deadline.until('the standby has answered exports', async () => {
    const [row] = await askStandby(
      `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
       from pg_stat_user_tables where relname = 'list_rows_shared'`,
    );
    return Number(row?.count) >= listCount * addressCount;
  });
  await askStandby('select pg_wal_replay_pause()');
  faults.push(...(await exportAtOnce(rehearsal, 'an export while the standby replays nothing')));
  await askStandby('select pg_wal_replay_resume()');
  return faults;
}

/** Verifies a new list and exports it. Returns what is wrong with the export. */
export async function exportAtOnce(
  { customer, apiUrl, deadline }: Omit<Rehearsal, 'askStandby'>,
  situation: string,
): Promise<string[]> {
  const { createListFromEmails, getList, exportList } = customer.client.validations;
  const emails = Array.from({ length: addressCount }, (_, row) => `staff.${row}@prompt-0.test`);
  const { id: list_id } = await createListFromEmails({ body: { emails } });
  await deadline.until('a list is complete', async () => {
    return (await getList({ params: { list_id } })).status === 'COMPLETE';
  });
  const { download_link } = await exportList({ params: { list_id }, query: { status: ['VALID'] } });
  const { pathname, search } = new URL(download_link);
  const file = await (await fetch(new URL(pathname + search, apiUrl))).text();
  const count = file.split('\n').filter((line) => line.includes(',VALID,')).length;
  return count === addressCount ? [] : [`${situation}: ${count} of ${addressCount} results`];
}
