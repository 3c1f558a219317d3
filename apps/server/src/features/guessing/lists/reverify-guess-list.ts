import { randomUUID } from 'node:crypto';
import type { GuessList } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { answerOnce, type IdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { keepAccount } from '../../accounts/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import { type Availability, hasRealDomain } from '../../engine/index.ts';
import { type ListPlace, nameOfUnknowns } from '../../lists/index.ts';
import { enqueuePeople } from './enqueue-people.ts';
import {
  copyUnknownPeople,
  countUnknownRows,
  findOpenPeople,
  findUnknownDomains,
} from './guess-lists.store.ts';
import { guessListAnswer, newPeopleList, peopleLists } from './people-lists.ts';

interface ReverifyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly availability: Availability;
}

/** Makes a new list of the unknown people of a complete one, with their other cells, in one transaction. */
export function reverifyGuessList(
  { db, clock, queue, availability }: ReverifyParts,
  source: ListPlace,
  call: IdempotentCall | null,
  apiKey?: PayingKey,
): Promise<GuessList> {
  const { ownerId } = source;
  const place = { ownerId, listId: randomUUID() };
  const now = clock.now();
  return answerOnce(db, call, now, async (tx) => {
    await keepAccount(tx, ownerId);
    const list = await peopleLists.results.lockComplete(tx, source);
    if (list.unknown === 0) throw new AppError('list_nothing_unknown', { listId: list.id });
    const domains = await findUnknownDomains(tx, source);
    await availability.requireFor(tx, domains);
    const { delimiter, header } = await peopleLists.store.findLayout(tx, source);
    const copy = await peopleLists.store.insert(tx, place, {
      ...newPeopleList,
      name: nameOfUnknowns(list.name),
      file_name: list.file_name,
      delimiter,
      header,
      total_people: list.unknown,
      duplicated_people: (await countUnknownRows(tx, source)) - list.unknown,
      unusable_people: 0,
      has_real_domain: hasRealDomain(domains),
      source_list_id: list.id,
      created_at: now,
    });
    await copyUnknownPeople(tx, { source, copy: place, now });
    const ids = (await findOpenPeople(tx, place)).map(({ id }) => id);
    await enqueuePeople(queue, tx, place, copy.run_number, ids);
    await peopleLists.results.workOf(place, copy, apiKey).hold(tx, copy.total_people, now);
    return guessListAnswer(copy);
  });
}
