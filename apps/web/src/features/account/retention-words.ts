import type { ExpiredWork, RetentionDays } from '@assay/contract';
import { formatCredits as formatCount } from '../../shared/format/counts.ts';

/** What the customer keeps from now on. */
export const keptWords = (days: RetentionDays | null): string =>
  days === null
    ? 'Lists, single verifications and guesses stay until you delete them.'
    : `Lists, single verifications and guesses are deleted ${days} days after you created them, with their results, evidence, uploads, download links and webhook bodies. Credits history and charts stay.`;

/** Whether a change keeps things for a shorter time, and so may delete something. */
export const isShorter = (before: RetentionDays | null, after: RetentionDays | null): boolean =>
  after !== null && (before === null || after < before);

const several = (count: number, one: string, many: string): string | null =>
  count === 0 ? null : `${formatCount(count)} ${count === 1 ? one : many}`;

/** What a shorter time deletes at once. */
export function expiredWords(expired: ExpiredWork, days: RetentionDays): string {
  const lists = several(expired.lists, 'list', 'lists');
  const emails = several(expired.list_emails, 'email', 'emails');
  const parts = [
    lists && (emails ? `${lists} with ${emails}` : lists),
    several(expired.singles, 'single verification', 'single verifications'),
    several(expired.guesses, 'guess', 'guesses'),
  ].filter((part) => part !== null);
  if (parts.length === 0) return `Nothing is older than ${days} days, so nothing is deleted now.`;
  const named = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return `Older than ${days} days, and deleted within the hour: ${named}. This cannot be undone.`;
}
