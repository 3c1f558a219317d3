import type { GuessList } from '@assay/contract';
import { progressOf } from '../../lists/index.ts';
import type { GuessListRow } from './guess-lists.store.ts';

/** A list of people as the wire carries it. */
export function guessListAnswer(list: GuessListRow): GuessList {
  const { found, catch_all, not_found, unknown } = list;
  return {
    id: list.id,
    name: list.name,
    status: list.status,
    progress: progressOf(found + catch_all + not_found + unknown, list.total_people),
    creation_date: list.created_at.toISOString(),
    total_people: list.total_people,
    guess_metrics: { found, catch_all, not_found, unknown },
  };
}
