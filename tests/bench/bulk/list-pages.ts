// Pages of a list of a million rows or more, while it runs.
import type { EmailSort, ValidationList } from '@assay/contract';
import type { Customer } from '../../support/customer.ts';
import { Deadline } from '../../support/until.ts';
import { integer } from '../harness/report.ts';
import { timed } from './bare.ts';
import type { BenchProduct } from './product.ts';

const begunShare = 0.3;
/** The rows of ten million must be there first. */
const begunMsMax = 1_800_000;

export async function untilBegun({ pool }: BenchProduct, { id }: ValidationList): Promise<void> {
  await new Deadline(begunMsMax).until('a part of the list is verified', async () => {
    const { rows } = await pool.query(
      `select valid_emails + invalid_emails + catch_all_emails + unknown_emails as done, total_emails as total
       from lists where id = $1`,
      [id],
    );
    const { done, total } = rows[0];
    return total > 0 && done >= total * begunShare;
  });
}

interface Query {
  readonly search?: string;
  readonly status?: ['VALID' | 'INVALID' | 'CATCH_ALL' | 'UNKNOWN'];
  readonly reason?: [string];
  readonly flag?: ['disposable' | 'role'];
  readonly mx_provider?: [string];
  readonly sort?: EmailSort;
  readonly page_number?: number;
}

const queries: readonly [string, Query][] = [
  // Reads the addresses; the searches after it find them in memory.
  ['the first search', { search: 'zzzzz' }],
  ['all', {}],
  ['all, page 15,000', { page_number: 15_000 }],
  ['INVALID', { status: ['INVALID'] }],
  ['a reason', { reason: ['no_such_mailbox'] }],
  ['a reason that no row has', { reason: ['mailbox_full'] }],
  ['a flag', { flag: ['role'] }],
  ['a provider that no row has', { mx_provider: ['none.example'] }],
  ['a text in many rows', { search: 'company-1' }],
  ['a text in many rows, page 200', { search: 'company-1', page_number: 200 }],
  ['a text in no row', { search: 'zzzz' }],
  ['two letters in no row', { search: 'q!' }],
  ['a text in few rows, sorted', { search: '99999', sort: 'email' }],
  ['a text and INVALID', { search: 'company-1', status: ['INVALID'] }],
  ['a text and a reason', { search: 'company', reason: ['no_such_mailbox'], sort: '-row' }],
  ['a text in no row and VALID', { search: 'zzzz', status: ['VALID'] }],
  ['a text in some rows and VALID', { search: '777', status: ['VALID'] }],
  ['a text in thousands of rows, sorted', { search: '77', reason: ['no_such_mailbox'], sort: 'email' }],
];

/** Each kind of page this many times, in turn. */
export async function timePages({ client }: Customer, listId: string, turns: number) {
  const times = new Map<string, number[]>(queries.map(([name]) => [name, []]));
  const params = { list_id: listId };
  const summaries: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    // There is one first search only.
    for (const [name, query] of turn === 0 ? queries : queries.slice(1)) {
      const ms = await timed(() =>
        client.validations.listEmails({
          params,
          query: { page_size: 50, page_number: 1, ...query },
        } as never),
      );
      times.get(name)?.push(ms);
    }
    summaries.push(await timed(() => client.validations.summariseEmails({ params })));
  }
  const lineOf = (name: string, ms: readonly number[]) => [
    name,
    integer(quantile(ms, 0.5)),
    integer(quantile(ms, 0.95)),
  ];
  const table = [...[...times].map(([name, ms]) => lineOf(name, ms)), lineOf('summary', summaries)];
  return {
    table,
    p95: quantile([...times.values()].flat(), 0.95),
    summaryP95: quantile(summaries, 0.95),
  };
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length * part) - 1] ?? 0;
