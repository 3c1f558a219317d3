import type { GuessList } from '@assay/contract';
import type { ListNews } from '../../../shared/lists/live-list.ts';
import { useListProgress } from '../../../shared/lists/use-list-progress.ts';
import { guessListKeys } from '../api/keys.ts';

/** Gives the later of a loaded list and what was told of it since. */
export const useListEvents = () =>
  useListProgress({
    keys: guessListKeys,
    progressEvent: 'guess_list_progress',
    completeEvent: 'guess_list_complete',
    completeText: 'List guessing successful!',
    withCounts,
  });

const withCounts = (list: GuessList, { guess_metrics }: ListNews): GuessList =>
  guess_metrics === undefined ? list : { ...list, guess_metrics };
