import { creditsText } from '../format/count-words.ts';
import type { AnyList } from './any-list.ts';

/** What deleting lists means for their credits; nothing for complete ones, which are paid. */
export function deletionWords(
  lists: readonly Pick<AnyList, 'status' | 'run_state' | 'preparation' | 'charged_credits'>[],
): string | null {
  const running = lists.filter(({ status, run_state }) => status === 'PENDING' && run_state !== 'failed');
  if (running.length === 0) return null;
  const [only] = lists;
  if (lists.length === 1 && only?.preparation) {
    return 'Its rows are still being copied. Nothing was charged, and its credits come back.';
  }
  const charged = running.reduce((sum, { charged_credits }) => sum + charged_credits, 0);
  const subject = lists.length === 1 ? 'It still runs' : `${running.length} of them still run`;
  return `${subject}. Results so far stay charged (${creditsText(charged)}), and the credits for the rest come back.`;
}
