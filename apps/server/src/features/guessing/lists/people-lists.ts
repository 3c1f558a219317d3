import type { GuessList, GuessOutcome } from '@assay/contract';
import { type ListRow, type ListWaits, listsOf } from '../../lists/index.ts';
import { chargedOutcomes } from '../guess-price.ts';
import { finishGuessListJob, proveListJob, resumeGuessListJob } from '../guessing.jobs.ts';

const columns = [
  'charges_every_answer',
  'total_people',
  'duplicated_people',
  'unusable_people',
  'found',
  'catch_all',
  'not_found',
  'unknown',
] as const;

export type PeopleListRow = ListRow<(typeof columns)[number]>;

/** Lists of people, each of whom gets an address or the reason why not. Every clear answer costs a credit. */
export const peopleLists = listsOf<PeopleListRow, GuessOutcome>({
  name: 'people',
  columns,
  total: 'total_people',
  counters: { FOUND: 'found', CATCH_ALL: 'catch_all', NOT_FOUND: 'not_found', UNKNOWN: 'unknown' },
  chargedOutcomesOf: ({ charges_every_answer }) => chargedOutcomes(charges_every_answer),
  work: 'guess-list',
  events: { progress: 'guess_list_progress', complete: 'guess_list_complete' },
  metricsOf: ({ found, catch_all, not_found, unknown }) => ({
    guess_metrics: { found, catch_all, not_found, unknown },
  }),
  removal: 'at once',
  enqueueRows: (queue, tx, place, { run_number: run }) =>
    queue.enqueue(tx, resumeGuessListJob, { ...place, run }),
  queuePrefix: 'guessing.',
  rowQueues: [proveListJob.name],
  finishJob: finishGuessListJob,
});

/** What every new list has. Older ones charge found people only. */
export const newPeopleList = { status: 'PENDING', charges_every_answer: true } as const;

/** Without `waits` for a list of which nobody can wait for a mail host. */
export const guessListAnswer = (list: PeopleListRow, waits?: ListWaits): GuessList => ({
  ...peopleLists.answers.answerOf(list, waits),
  total_people: list.total_people,
  guess_metrics: {
    found: list.found,
    catch_all: list.catch_all,
    not_found: list.not_found,
    unknown: list.unknown,
  },
  excluded_people: exclusionsOf(list),
});

/** Null for lists that are older than these counts. */
function exclusionsOf(list: PeopleListRow): GuessList['excluded_people'] {
  const { duplicated_people: duplicated, unusable_people: non_billable } = list;
  return duplicated === null || non_billable === null ? null : { duplicated, non_billable };
}
