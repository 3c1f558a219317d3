import { creditsText } from '../format/count-words.ts';
import type { AnyList } from './any-list.ts';

/** What deleting lists means for their credits; nothing for complete ones, which are paid. */
export function deletionWords(lists: readonly Pick<AnyList, 'status' | 'charged_credits'>[]): string | null {
  const running = lists.filter(({ status }) => status === 'PENDING');
  if (running.length === 0) return null;
  const charged = running.reduce((sum, { charged_credits }) => sum + charged_credits, 0);
  const subject = lists.length === 1 ? 'It still runs' : `${running.length} of them still run`;
  return `${subject}. Results so far stay charged (${creditsText(charged)}), and the credits for the rest come back.`;
}
