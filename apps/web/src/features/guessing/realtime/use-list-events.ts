import { useListProgress } from '../../../shared/lists/use-list-progress.ts';
import { guessListKeys } from '../api/keys.ts';

/** Gives the live progress by list id. */
export const useListEvents = () =>
  useListProgress({
    keys: guessListKeys,
    progressEvent: 'guess_list_progress',
    completeEvent: 'guess_list_complete',
    completeText: 'List guessing successful!',
  });
