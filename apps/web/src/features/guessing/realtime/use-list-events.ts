import type { GuessList } from '@assay/contract';
import type { ListNews } from '../../../shared/lists/live-list.ts';
import { useListProgress } from '../../../shared/lists/use-list-progress.ts';
import { guessListKeys } from '../api/keys.ts';

/** Returns the loaded list with the progress of later events. */
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
