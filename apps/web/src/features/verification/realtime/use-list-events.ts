import type { ValidationList } from '@assay/contract';
import type { ListNews } from '../../../shared/lists/live-list.ts';
import { useListProgress } from '../../../shared/lists/use-list-progress.ts';
import { validationListKeys } from '../api/keys.ts';

/** Returns the loaded list with the progress of later events. */
export const useListEvents = () =>
  useListProgress({
    keys: validationListKeys,
    progressEvent: 'list_verification_complete',
    completeEvent: 'list_complete',
    completeText: 'List verification successful!',
    withCounts,
  });

function withCounts(list: ValidationList, { email_metrics }: ListNews): ValidationList {
  if (email_metrics === undefined) return list;
  const { valid_emails, invalid_emails, catch_all_emails, unknown_emails } = email_metrics;
  const completed = valid_emails + invalid_emails + catch_all_emails + unknown_emails;
  return {
    ...list,
    email_metrics,
    validation_email_metrics: { completed },
    // One credit for each result that is not unknown.
    charged_credits: list.sandbox ? 0 : completed - unknown_emails,
  };
}
