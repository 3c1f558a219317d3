import type { ValidationList, Verdict } from '@assay/contract';
import type { Customer } from '../support/customer.ts';
import { runAssay } from '../support/product-process.ts';
import { decliningDomain, type ListFile, verdictFor } from './list-file.ts';
import type { Product } from './product.ts';

type Counts = Readonly<Record<Verdict, number>>;

/** The engine gives up a DNS lookup after 8.75 s without an answer, of which its last question takes 5 s. */
const worldLateMsMin = 5_000;
/** The engine waits 3 s for the record of an owner. */
const recordLateMsMin = 1_500;
const reasonsOfLateWorld = ['dns_timeout', 'reply_timeout', 'connection_timeout'];

/** Whether a result may have this reason only because the machine held up the mail world. */
export const isOfLateWorld = (product: Product, reason: string | undefined): boolean =>
  product.worldLateMs >= worldLateMsMin && reasonsOfLateWorld.includes(reason ?? '');

/**
 * What the list should have. On a busy machine the mail world may be held up for so long that addresses are UNKNOWN by
 * right: only then, a time-out counts as what the address deserves.
 */
export async function expectedOf(product: Product, listId: string, file: ListFile): Promise<Counts> {
  if (product.worldLateMs < worldLateMsMin) return file.expected;
  const rows = await product.ask<{ email_address: string }>(
    `select email_address from list_results join list_rows using (list_id, row_number)
     where list_id = $1 and verdict = 'UNKNOWN' and reason = any($2)`,
    [listId, reasonsOfLateWorld],
  );
  const expected = { ...file.expected };
  for (const { email_address } of rows) {
    expected[verdictFor(email_address)] -= 1;
    expected.UNKNOWN += 1;
  }
  return expected;
}

/** Checks everything that must be true of a list after a round; returns the violations. */
export async function findFaultsOfList(
  product: Product,
  customer: Customer,
  listId: string,
  file: Pick<ListFile, 'expected' | 'rowCount'>,
  { isFinished }: { readonly isFinished: boolean },
): Promise<string[]> {
  const { faults, demand } = collectFaults();
  const results = await countResults(product, listId);
  // Of a list that the customer finished, any row may be unchecked, but no verdict may be wrong or missing.
  const expected = isFinished ? results : file.expected;
  const { VALID, INVALID, CATCH_ALL } = expected;
  const due = VALID + INVALID + CATCH_ALL;
  const total = Object.values(file.expected).reduce((sum, count) => sum + count, 0);
  if (isFinished) {
    demand('verdicts above what the file has', verdictsAbove(results, file.expected), []);
    demand('rows with a result', due + results.UNKNOWN, total);
    const unchecked = await countUnchecked(product, listId);
    demand('unknown rows', results.UNKNOWN - unchecked <= file.expected.UNKNOWN, true);
  }

  const list = await customer.client.validations.getList({ params: { list_id: listId } });
  demand('status', list.status, 'COMPLETE');
  demand('total_emails', list.total_emails, total);
  demand('counters', countersOf(list), expected);
  demand('results', results, expected);
  if (results.UNKNOWN > expected.UNKNOWN) faults.push(...(await explainUnknown(product, customer, listId)));
  demand('metrics', await countMetrics(product, customer), { pending: 0, ...expected });
  demand('rows', await countRows(product, listId), file.rowCount);

  const lists = await customer.client.validations.listLists({ query: { page_number: 1, page_size: 50 } });
  demand(
    'lists that the customer sees',
    lists.results.map(({ id }) => id),
    [listId],
  );
  await demandCharge(product, customer, demand, { listId, due });
  return faults;
}

/** The same for a list that the customer deleted while it ran: its results so far are paid for. The sweep may have removed them. */
export async function findFaultsOfDeleted(
  product: Product,
  customer: Customer,
  listId: string,
): Promise<string[]> {
  const { faults, demand } = collectFaults();
  const { pending, VALID, INVALID, CATCH_ALL } = await countMetrics(product, customer);
  demand('pending', pending, 0);
  await demandCharge(product, customer, demand, { listId, due: VALID + INVALID + CATCH_ALL });
  return faults;
}

type Demand = (what: string, actual: unknown, expected: unknown) => void;

export function collectFaults(): { faults: string[]; demand: Demand } {
  const faults: string[] = [];
  return {
    faults,
    demand: (what, actual, expected) => {
      const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
      if (is !== should) faults.push(`${what}: is ${is}, should be ${should}`);
    },
  };
}

async function demandCharge(
  product: Product,
  { id }: Customer,
  demand: Demand,
  { listId, due }: { readonly listId: string; readonly due: number },
): Promise<void> {
  const entries = await product.ask(
    `select amount::int, key from ledger_entries where owner_id = $1 and source = 'LIST'`,
    [id],
  );
  // An entry of 0 is -0 in the difference.
  demand('entries for lists', entries, [{ amount: 0 - due, key: `capture:list:${listId}` }]);
}

/** Checks everything that must be true of the product after a round, whatever its customers did; returns the violations. */
export async function findFaultsOfProduct(product: Product): Promise<string[]> {
  const { faults, demand } = collectFaults();
  demand('credits on hold', await findHeld(product), { held: 0, holds: 0 });
  demand('dead letters', await countDeadLetters(product), product.poisoned);
  demand('audit', await auditLedger(product), 'clean');
  demand(
    'conduct towards mail hosts',
    product.world.conduct.violations.map(({ violation }) => violation),
    [],
  );
  // An engine that does not hear of the record in time asks as if there were none.
  if (product.worldLateMs < recordLateMsMin)
    demand(
      'questions about a domain whose owner declines',
      product.world.conduct.host(`mx.${decliningDomain}`).recipients,
      0,
    );
  demand('processes that exited unexpectedly', [...product.falls, ...product.troubles.filter(isCrash)], []);
  // The repair hides that jobs were lost.
  demand('lists that lost their jobs', product.troubles.filter(isRepair), []);
  return faults;
}

/** What a supervisor says. */
const isCrash = (trouble: string): boolean => trouble.endsWith('; starting it again.');
const isRepair = (trouble: string): boolean => trouble.includes('a running list had no job');

const verdictsAbove = (results: Counts, expected: Counts): Verdict[] =>
  (['VALID', 'INVALID', 'CATCH_ALL'] as const).filter((verdict) => results[verdict] > expected[verdict]);

async function countUnchecked(product: Product, listId: string): Promise<number> {
  const [row] = await product.ask<{ count: number }>(
    `select count(*)::int as count from list_results where list_id = $1 and reason = 'not_checked'`,
    [listId],
  );
  return row?.count ?? 0;
}

function countersOf({ email_metrics: counted }: ValidationList): Counts {
  return {
    VALID: counted.valid_emails,
    INVALID: counted.invalid_emails,
    CATCH_ALL: counted.catch_all_emails,
    UNKNOWN: counted.unknown_emails,
  };
}

async function countResults(product: Product, listId: string): Promise<Counts> {
  const rows = await product.ask<{ verdict: Verdict; count: string }>(
    'select verdict, count(*) from list_results where list_id = $1 group by verdict',
    [listId],
  );
  const countOf = (verdict: Verdict) => Number(rows.find((row) => row.verdict === verdict)?.count ?? 0);
  return {
    VALID: countOf('VALID'),
    INVALID: countOf('INVALID'),
    CATCH_ALL: countOf('CATCH_ALL'),
    UNKNOWN: countOf('UNKNOWN'),
  };
}

/** Which domains have unknown results, why, and the evidence of one of each kind. */
async function explainUnknown(product: Product, { client }: Customer, listId: string): Promise<string[]> {
  const kinds = await product.ask<{ domain: string; reason: string; count: number; row: number }>(
    `select split_part(email_address, '@', 2) as domain, reason, count(*)::int as count, min(row_number)::int as row
     from list_results join list_rows using (list_id, row_number)
     where list_id = $1 and verdict = 'UNKNOWN' group by 1, 2 order by 1, 2`,
    [listId],
  );
  return Promise.all(
    kinds.map(async ({ domain, reason, count, row }) => {
      const params = { list_id: listId, email_id: String(row) };
      const { evidence } = await client.validations.getListEmail({ params });
      return `unknown: ${count} ${reason} at ${domain}, row ${row}: ${JSON.stringify(evidence)}`;
    }),
  );
}

async function countMetrics(
  product: Product,
  { id }: Customer,
): Promise<Counts & { readonly pending: number }> {
  const [row] = await product.ask<Counts & { readonly pending: number }>(
    `select sum(pending)::int as pending, sum(valid)::int as "VALID", sum(invalid)::int as "INVALID",
       sum(catch_all)::int as "CATCH_ALL", sum(unknown)::int as "UNKNOWN" from validation_metrics where owner_id = $1`,
    [id],
  );
  return row ?? { pending: 0, VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 };
}

async function countRows(product: Product, listId: string): Promise<number> {
  const [row] = await product.ask('select count(*)::int as count from list_rows where list_id = $1', [
    listId,
  ]);
  return row?.count;
}

async function findHeld(product: Product): Promise<unknown> {
  const [row] = await product.ask(
    `select (select sum(held) from wallets)::int as held,
       (select count(*) from holds where status = 'held')::int as holds`,
  );
  return row;
}

/** How many jobs of each queue failed for good. */
export async function countDeadLetters(product: Product): Promise<Record<string, number>> {
  const rows = await product.ask<{ queue: string; count: number }>(
    `select source_name as queue, count(*)::int as count from queue.job where name = 'dead-letters' group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ queue, count }) => [queue, count]));
}

function auditLedger({ environment }: Product): Promise<string> {
  return runAssay(environment, 'ledger', 'audit').then(
    () => 'clean',
    (error: Error) => error.message,
  );
}
