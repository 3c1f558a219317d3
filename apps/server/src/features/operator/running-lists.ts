import { OPERATOR_ROWS_MAX, type OperatorList, type StuckList } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { findListJobs, type ListJobs } from '../../platform/queue/index.ts';
import { isPortClosed } from '../engine/index.ts';
import { peopleLists } from '../guessing/index.ts';
import type { ListHead, Lists, ListWaits } from '../lists/index.ts';
import { emailLists } from '../verification/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { listAnswer } from './customers.ts';
import type { OperatorQueueParts } from './standing.ts';

/** Workers write results many times a second, and lists that wait for hosts hear from them every few minutes. */
const silentMs = 10 * 60_000;
/** The queues whose jobs belong to lists. */
const listQueues = ['validations.', 'guessing.'];

/** How many lists `findStuckLists` would find without its limit. */
export async function countStuckLists({ db, clock }: OperatorParts): Promise<number> {
  const since = new Date(clock.now().getTime() - silentMs);
  return (await emailLists.countSilent(db, since)) + (await peopleLists.countSilent(db, since));
}

/** Running lists without a result for ten minutes, the oldest first, with what they wait for. */
export async function findStuckLists({ db, clock }: OperatorParts): Promise<StuckList[]> {
  const now = clock.now();
  const found = [
    ...(await findSilent(db, 'emails', emailLists, now)),
    ...(await findSilent(db, 'people', peopleLists, now)),
  ]
    .sort((left, right) => left.answer.creation_date.localeCompare(right.answer.creation_date))
    .slice(0, OPERATOR_ROWS_MAX);
  if (found.length === 0) return [];
  const listIds = found.map(({ answer }) => answer.id);
  const foundJobs = await findListJobs(db, { listIds, queuePrefixes: listQueues, now });
  const jobs = new Map(foundJobs.map((job) => [job.listId, job]));
  const isClosed = await isPortClosed(db, now);
  return found.map(({ answer, lastResult, waits }) => ({
    ...answer,
    last_result_date: lastResult.toISOString(),
    ...explain(jobs.get(answer.id), waits, isClosed),
  }));
}

async function findSilent<Row extends ListHead, Outcome extends string>(
  db: Db,
  kind: StuckList['kind'],
  lists: Lists<Row, Outcome>,
  now: Date,
) {
  const silent = await lists.findSilent(db, new Date(now.getTime() - silentMs), OPERATOR_ROWS_MAX);
  const found: { answer: OperatorList; lastResult: Date; waits: ListWaits }[] = [];
  for (const [ownerId, ofOwner] of Map.groupBy(silent, ({ owner_id }) => owner_id)) {
    const waitsOf = await lists.findWaits(db, ownerId, ofOwner, now);
    for (const list of ofOwner) {
      const answer = listAnswer(kind, lists, ownerId, list);
      found.push({ answer, lastResult: list.last_result_at, waits: waitsOf(list) });
    }
  }
  return found;
}

function explain(
  jobs: ListJobs | undefined,
  waits: ListWaits,
  isClosed: boolean,
): Pick<StuckList, 'why' | 'detail'> {
  if (!jobs) return { why: 'no_jobs', detail: null };
  if (jobs.failing > 0) return { why: 'jobs_failing', detail: jobs.problem };
  if (isClosed) return { why: 'port_closed', detail: null };
  const [soonest] = waits.hosts;
  if (soonest && jobs.active + jobs.ready === 0) return { why: 'waiting_for_hosts', detail: soonest.host };
  return { why: 'waiting_for_workers', detail: null };
}

interface ListToControl {
  readonly ownerId: string;
  readonly listId: string;
  readonly kind: StuckList['kind'];
}

/** Enqueues the rows without a result again, or ends the list without them. Logs nothing if it is ended already. */
export async function controlList(
  parts: OperatorQueueParts,
  by: ActorAndReason,
  { kind, ...place }: ListToControl,
  action: 'restart' | 'finish',
): Promise<void> {
  const lists = kind === 'emails' ? emailLists : peopleLists;
  await lists[action](parts, place, (tx) =>
    recordAction(tx, by, {
      kind: action === 'restart' ? 'list.restarted' : 'list.finished',
      customerId: place.ownerId,
      about: place.listId,
      now: parts.clock.now(),
    }),
  );
}
