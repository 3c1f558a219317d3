import { useListProgress } from '../../../shared/lists/use-list-progress.ts';
import { validationListKeys } from '../api/keys.ts';

/** Gives the live progress by list id. */
export const useListEvents = () =>
  useListProgress({
    keys: validationListKeys,
    progressEvent: 'list_verification_complete',
    completeEvent: 'list_complete',
    completeText: 'List verification successful!',
  });
