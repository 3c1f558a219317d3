import type { ValidationList } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { keepAccount } from '../../accounts/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import type { Availability } from '../../engine/index.ts';
import { type ListPlace, nameOfUnknowns } from '../../lists/index.ts';
import { findChangeClock } from '../../suppressions/index.ts';
import { newListId } from '../rows/large-lists.store.ts';
import { emailLists } from './email-lists.ts';
import { fillFromUnknowns } from './fill-list.ts';
import { fillLater, startList } from './start-list.ts';
import { findSuppressedUnknowns } from './suppressed-unknowns.ts';

interface ReverifyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly availability: Availability;
}

/** A call copies these within a second. */
const rowsAtOnceMax = 10_000;

/** Makes a new list of the unknown rows of a complete one. A job copies them if they are many, as with a long file. */
export async function reverifyList(
  { db, clock, queue, availability }: ReverifyParts,
  source: ListPlace,
  call: IdempotentCall | null,
  {
    apiKey,
    ignoresSuppression,
  }: { readonly apiKey?: PayingKey | undefined; readonly ignoresSuppression: boolean },
): Promise<ValidationList> {
  const list = await emailLists.answers.requireComplete(db, source);
  const { unknown_emails: unknownEmails, has_real_domain: hasRealDomain, is_sandbox: isSandbox } = list;
  if (unknownEmails === 0) throw new AppError('list_nothing_unknown', { listId: list.id });
  if (!isSandbox && hasRealDomain) await availability.require(db);
  const { delimiter } = await emailLists.store.findLayout(db, source);
  const now = clock.now();
  const isLong = unknownEmails > rowsAtOnceMax;
  const isScreened =
    !isSandbox && !ignoresSuppression && (await findChangeClock(db, source.ownerId)).entries > 0;
  const suppressed = isScreened && !isLong ? await findSuppressedUnknowns(db, source, now) : [];
  if (suppressed.length === unknownEmails) throw new AppError('file_all_suppressed');
  // The job that copies a long list screens it, and holds what it costs.
  const totalEmails = isScreened && isLong ? 0 : unknownEmails - suppressed.length;
  const row = {
    ownerId: source.ownerId,
    listId: newListId(unknownEmails),
    name: nameOfUnknowns(list.name),
    fileName: list.file_name,
    delimiter,
    isSandbox,
    sourceListId: list.id,
    totalEmails,
    rowsToCopy: unknownEmails,
    hasRealDomain,
    now,
  };
  return db.transaction().execute(async (tx) => {
    await keepAccount(tx, source.ownerId);
    await emailLists.results.lockComplete(tx, source);
    const fill = isLong ? fillLater(queue, tx) : fillFromUnknowns({ tx, queue }, source, suppressed);
    return startList(tx, { list: row, call, apiKey }, fill);
  });
}
