import { OPERATOR_ROWS_MAX, type OperatorList, type RunningList } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findJobsAbout, type JobsAbout } from '../../platform/queue/index.ts';
import { isPortClosed } from '../engine/index.ts';
import { peopleLists } from '../guessing/index.ts';
import type { ListHead, Lists, ListWaits } from '../lists/index.ts';
import { emailLists } from '../verification/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { findOwners } from './customers.store.ts';
import { listAnswer } from './customers.ts';
import type { OperatorQueueParts } from './standing.ts';

/** Workers write results many times a second, and lists that wait for hosts hear from them every few minutes. */
const silentMs = 10 * 60_000;
/** The queues whose jobs belong to lists. */
const listQueues = ['validations.', 'guessing.'];

/** How many running lists have been without a result for ten minutes. */
export async function countStuckLists({ db, clock }: OperatorParts): Promise<number> {
  const since = new Date(clock.now().getTime() - silentMs);
  return (
    (await emailLists.answers.countSilent(db, since)) + (await peopleLists.answers.countSilent(db, since))
  );
}

interface RunningQuery {
  /** Only lists without a result for ten minutes. */
  readonly onlyStuck: boolean;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Running lists of every kind with what they wait for, the oldest first, a page at a time. */
export async function findRunningLists(
  { db, clock }: OperatorParts,
  { onlyStuck, after }: RunningQuery,
): Promise<{ results: RunningList[]; next: string | null }> {
  const now = clock.now();
  const silentSince = new Date(now.getTime() - silentMs);
  const page = {
    silentSince: onlyStuck ? silentSince : undefined,
    after: after === undefined ? undefined : readCursor(after),
    limit: OPERATOR_ROWS_MAX + 1,
  };
  const running = [
    ...(await findRunning(db, emailLists, page, now)),
    ...(await findRunning(db, peopleLists, page, now)),
  ].sort((left, right) => orderOf(left.answer).localeCompare(orderOf(right.answer)));
  const found = running.slice(0, OPERATOR_ROWS_MAX);
  const last = found.at(-1)?.answer;
  return {
    results: await describe(db, found, { now, silentSince }),
    next: last && running.length > found.length ? cursorOf(last) : null,
  };
}

/** All lists without a result for ten minutes. */
export async function findStuckLists(parts: OperatorParts): Promise<RunningList[]> {
  const stuck: RunningList[] = [];
  let after: string | undefined;
  do {
    const { results, next } = await findRunningLists(parts, { onlyStuck: true, after });
    stuck.push(...results);
    after = next ?? undefined;
  } while (after !== undefined);
  return stuck;
}

const orderOf = ({ creation_date, id }: OperatorList): string => `${creation_date} ${id}`;
const cursorOf = ({ creation_date, id }: OperatorList): string => `${Date.parse(creation_date)}_${id}`;

function readCursor(cursor: string): { createdAt: Date; listId: string } {
  const [milliseconds, listId = ''] = cursor.split('_');
  return { createdAt: new Date(Number(milliseconds)), listId };
}

interface FoundList {
  readonly answer: OperatorList;
  readonly completed: number;
  readonly lastResult: Date;
  readonly waits: ListWaits;
}

async function findRunning<Row extends ListHead, Outcome extends string>(
  db: Db,
  lists: Lists<Row, Outcome>,
  page: Parameters<Lists<Row, Outcome>['answers']['findRunningPage']>[1],
  now: Date,
): Promise<FoundList[]> {
  const running = await lists.answers.findRunningPage(db, page);
  const found: FoundList[] = [];
  for (const [ownerId, ofOwner] of Map.groupBy(running, ({ owner_id }) => owner_id)) {
    const waitsOf = await lists.answers.findWaits(db, ownerId, ofOwner, now);
    for (const list of ofOwner) {
      const waits = waitsOf(list);
      const answer = listAnswer(lists, ownerId, list, waits);
      found.push({
        answer,
        completed: lists.answers.countsOf(list).completed,
        lastResult: list.last_result_at,
        waits,
      });
    }
  }
  return found;
}

async function describe(
  db: Db,
  found: readonly FoundList[],
  { now, silentSince }: { readonly now: Date; readonly silentSince: Date },
): Promise<RunningList[]> {
  if (found.length === 0) return [];
  const foundJobs = await findJobsAbout(db, {
    field: 'listId',
    subjects: found.map(({ answer }) => answer.id),
    queuePrefixes: listQueues,
    now,
  });
  const jobs = new Map(foundJobs.map((job) => [job.subject, job]));
  const owners = await findOwners(
    db,
    found.map(({ answer }) => answer.owner_id),
  );
  const isClosed = await isPortClosed(db, now);
  return found.map(({ answer, completed, lastResult, waits }) => ({
    ...answer,
    owner: owners.get(answer.owner_id) ?? null,
    rows_per_minute: rateOf(completed, now.getTime() - Date.parse(answer.creation_date)),
    last_result_date: lastResult.toISOString(),
    ...explain(jobs.get(answer.id), {
      waits,
      isClosed,
      isSilent: lastResult < silentSince,
      isPreparing: answer.is_preparing,
    }),
  }));
}

/** With one decimal. A list that began less than a minute ago counts as one minute old. */
const rateOf = (completed: number, ageMs: number): number =>
  Math.round((10 * completed * 60_000) / Math.max(60_000, ageMs)) / 10;

function explain(
  jobs: JobsAbout | undefined,
  {
    waits,
    isClosed,
    isSilent,
    isPreparing,
  }: {
    readonly waits: ListWaits;
    readonly isClosed: boolean;
    readonly isSilent: boolean;
    readonly isPreparing: boolean;
  },
): Pick<RunningList, 'why' | 'detail'> {
  // Between two pieces a list may have no job for a moment.
  if (!isSilent && (!jobs || jobs.active > 0))
    return { why: isPreparing ? 'preparing' : 'working', detail: null };
  if (!jobs) return { why: 'no_jobs', detail: null };
  if (jobs.failing > 0) return { why: 'jobs_failing', detail: jobs.problem };
  // Its rows are being copied: it asks no mail host yet.
  if (isPreparing) return { why: 'preparing', detail: null };
  if (isClosed) return { why: 'port_closed', detail: null };
  const [soonest] = waits.hosts;
  if (soonest && jobs.active + jobs.ready === 0) return { why: 'waiting_for_hosts', detail: soonest.host };
  return { why: 'waiting_for_workers', detail: null };
}

interface ListToControl {
  readonly ownerId: AccountId;
  readonly listId: string;
  readonly kind: OperatorList['kind'];
}

const actionKinds = {
  restart: 'list.restarted',
  finish: 'list.finished',
  pause: 'list.paused',
  resume: 'list.resumed',
} as const;
export type ListAction = keyof typeof actionKinds;

/** Restarts a list, ends it without the rows that have no result, pauses or resumes it. Logs nothing if nothing changes. */
export async function controlList(
  parts: OperatorQueueParts,
  by: ActorAndReason,
  { kind, ...place }: ListToControl,
  action: ListAction,
): Promise<void> {
  const lists = kind === 'emails' ? emailLists : peopleLists;
  await lists.control[action](parts, place, (tx) =>
    recordAction(tx, by, {
      kind: actionKinds[action],
      customerId: place.ownerId,
      about: place.listId,
      now: parts.clock.now(),
    }),
  );
}
