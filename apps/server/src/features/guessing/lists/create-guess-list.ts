import { randomUUID } from 'node:crypto';
import type { GuessList } from '@assay/contract';
import type { Caller } from '../../../platform/auth/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { answerOnce, type IdempotentCall, orTwinsAnswer } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { keepAccount } from '../../accounts/index.ts';
import { payingKeyOf } from '../../billing/index.ts';
import { type Availability, hasRealDomain } from '../../engine/index.ts';
import { nameFromFile } from '../../lists/index.ts';
import { claimUpload } from '../../uploads/index.ts';
import { enqueuePeople } from './enqueue-people.ts';
import { insertFileRows, insertPeople } from './guess-lists.store.ts';
import { openPeopleUpload, type PeopleUploadParts } from './guess-uploads.ts';
import { classifyPeopleJob, type PeopleOfFile } from './people-jobs.ts';
import { guessListAnswer, newPeopleList, peopleLists } from './people-lists.ts';

type CreationParts = PeopleUploadParts & { readonly queue: JobQueue; readonly availability: Availability };

export interface ListOrder {
  readonly uploadId: string;
  readonly withHeaders: boolean;
  readonly name: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/**
 * Makes a list of a previewed file: rows, people, hold and jobs in one transaction, which is short for a file of a few
 * thousand rows. A second call for the same upload answers the same list.
 */
export function createGuessList(
  parts: CreationParts,
  caller: Caller,
  order: ListOrder,
  call: IdempotentCall | null,
): Promise<GuessList> {
  return orTwinsAnswer(parts.db, call, async () => {
    // Before the transaction, which must not wait for a reading thread.
    const { accountId: ownerId } = caller;
    const { uploadId, signal } = order;
    const { fileName, file, reading } = await openPeopleUpload(parts, ownerId, uploadId, signal);
    const people = { ...reading, withHeaders: order.withHeaders };
    const read = await parts.readingPool.read(classifyPeopleJob, file, people).result;
    return makeList(parts, { caller, order, call, fileName, ...read });
  });
}

interface ReadPeople extends PeopleOfFile {
  readonly caller: Caller;
  readonly order: ListOrder;
  readonly call: IdempotentCall | null;
  readonly fileName: string;
}

function makeList(
  parts: CreationParts,
  { caller, order, call, fileName, people: listed, rows, ...file }: ReadPeople,
): Promise<GuessList> {
  const { accountId: ownerId } = caller;
  const now = parts.clock.now();
  const place = { ownerId, listId: randomUUID() };
  return answerOnce(parts.db, call, now, async (tx) => {
    await keepAccount(tx, ownerId);
    const madeId = await claimUpload(tx, { ...place, id: order.uploadId });
    if (madeId !== null) {
      const made = { ownerId, listId: madeId };
      return guessListAnswer(await peopleLists.answers.requireMadeOf(tx, made, order.uploadId));
    }

    if (listed.length === 0) throw new AppError('guess_file_no_people');
    const people = listed.map((person) => ({ ...person, id: randomUUID() }));
    const domains = people.map(({ domain }) => domain);
    await parts.availability.requireFor(tx, domains);
    const list = await peopleLists.store.insert(tx, place, {
      ...newPeopleList,
      name: order.name ?? nameFromFile(fileName),
      file_name: fileName,
      delimiter: file.delimiter,
      header: file.header,
      total_people: people.length,
      duplicated_people: file.duplicatedPeople,
      unusable_people: file.unusablePeople,
      has_real_domain: hasRealDomain(domains),
      created_at: now,
    });
    await insertFileRows(tx, place, rows);
    await insertPeople(tx, place, people, now);
    const ids = people.map(({ id }) => id);
    await enqueuePeople(parts.queue, tx, place, list.run_number, ids);
    await peopleLists.results.workOf(place, list, payingKeyOf(caller)).hold(tx, people.length, now);
    return guessListAnswer(list);
  });
}
