import { randomUUID } from 'node:crypto';
import type { GuessList } from '@assay/contract';
import type { Customer } from '../../../platform/auth/index.ts';
import { formatRow } from '../../../platform/csv/write-rows.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { answerOnce, type IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { payingKeyOf } from '../../billing/index.ts';
import { type Availability, hasRealDomain } from '../../engine/index.ts';
import { nameFromFile } from '../../lists/index.ts';
import { claimUpload } from '../../uploads/index.ts';
import { keepUser } from '../../users/index.ts';
import { enqueuePeople } from './enqueue-people.ts';
import { insertFileRows, insertGuessList, insertPeople } from './guess-lists.store.ts';
import { findPeopleUpload, readPeople, type UploadParts } from './guess-uploads.ts';
import { classifyPeople, isFirst, type PeopleRow } from './people-file.ts';
import { guessListAnswer, peopleLists } from './people-lists.ts';

export interface ListOrder {
  readonly uploadId: string;
  readonly withHeaders: boolean;
  readonly name: string | undefined;
}

/**
 * Makes a list of a previewed file: rows, people, hold and jobs in one transaction, which is short for a file of a few
 * thousand rows. A second call for the same upload answers the same list.
 */
export function createGuessList(
  parts: UploadParts & { readonly queue: JobQueue; readonly availability: Availability },
  customer: Customer,
  order: ListOrder,
  call: IdempotentCall | null,
): Promise<GuessList> {
  const { userId: ownerId } = customer;
  const now = parts.clock.now();
  const place = { ownerId, listId: randomUUID() };
  return answerOnce(parts.db, call, now, async (tx) => {
    await keepUser(tx, ownerId);
    const upload = await findPeopleUpload(tx, ownerId, order.uploadId, now);
    const madeId = await claimUpload(tx, 'guess_uploads', { ...place, id: order.uploadId });
    if (madeId !== null) {
      const made = { ownerId, listId: madeId };
      return guessListAnswer(await peopleLists.requireMadeOf(tx, made, order.uploadId));
    }

    const file = await readPeople(upload, parts.limits);
    const rows = classifyPeople(file, order);
    const people = inDomainOrder(rows.filter(isFirst)).map((row) => ({ id: randomUUID(), row }));
    if (people.length === 0) throw new AppError('guess_file_no_people');
    const domains = people.map(({ row }) => row.person?.domain ?? '');
    await parts.availability.requireFor(tx, domains);
    const format = (cells: readonly string[]) => formatRow(cells, file.format.delimiter);
    const list = await insertGuessList(tx, place, {
      name: order.name ?? nameFromFile(upload.fileName),
      fileName: upload.fileName,
      delimiter: file.format.delimiter,
      header: order.withHeaders ? format(file.rows[0] ?? []) : null,
      totalPeople: people.length,
      ...countExclusions(rows),
      hasRealDomain: hasRealDomain(domains),
      now,
    });
    await insertFileRows(tx, place, rows, format);
    await insertPeople(tx, place, people, now);
    const ids = people.map(({ id }) => id);
    await enqueuePeople(parts.queue, tx, place, list.run_number, ids);
    await peopleLists.workOf(place, list, payingKeyOf(customer)).hold(tx, people.length, now);
    return guessListAnswer(list);
  });
}

function countExclusions(rows: readonly PeopleRow[]) {
  const unusablePeople = rows.filter(({ person }) => person === null).length;
  return { unusablePeople, duplicatedPeople: rows.length - unusablePeople - rows.filter(isFirst).length };
}

/** Keeps people of one company together: they share a connection, and each proof helps the next. */
const inDomainOrder = (rows: readonly PeopleRow[]): PeopleRow[] =>
  rows.toSorted((left, right) => (left.person?.domain ?? '').localeCompare(right.person?.domain ?? ''));
