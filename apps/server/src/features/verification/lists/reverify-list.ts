import type { ValidationList } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import type { Availability } from '../../engine/index.ts';
import { type ListPlace, nameOfUnknowns } from '../../lists/index.ts';
import { keepAccount } from '../../users/index.ts';
import { emailLists } from './email-lists.ts';
import { fillFromUnknowns } from './fill-list.ts';
import { newListId } from './large-lists.ts';
import { findLayout } from './lists.store.ts';
import { fillLater, startList } from './start-list.ts';

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
  apiKey?: PayingKey,
): Promise<ValidationList> {
  const list = await emailLists.requireComplete(db, source);
  const { unknown_emails: totalEmails, has_real_domain: hasRealDomain, is_sandbox: isSandbox } = list;
  if (totalEmails === 0) throw new AppError('list_nothing_unknown', { listId: list.id });
  if (!isSandbox && hasRealDomain) await availability.require(db);
  const { delimiter } = await findLayout(db, source);
  const row = {
    ownerId: source.ownerId,
    listId: newListId(totalEmails),
    name: nameOfUnknowns(list.name),
    fileName: list.file_name,
    delimiter,
    isSandbox,
    sourceListId: list.id,
    totalEmails,
    rowsToCopy: totalEmails,
    hasRealDomain,
    now: clock.now(),
  };
  return db.transaction().execute(async (tx) => {
    await keepAccount(tx, source.ownerId);
    await emailLists.lockComplete(tx, source);
    const isLong = totalEmails > rowsAtOnceMax;
    const fill = isLong ? fillLater(queue, tx) : fillFromUnknowns({ tx, queue }, source);
    return startList(tx, { list: row, call, apiKey }, fill);
  });
}
