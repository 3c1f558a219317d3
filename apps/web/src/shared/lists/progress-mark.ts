import { percentDone } from '../format/percent-done.ts';
import type { AnyList } from './any-list.ts';

/** Shows in the title of a browser tab how far a list is. */
export function progressMark(list: AnyList | undefined): string {
  if (list === undefined || list.status === 'COMPLETE' || list.run_state === 'failed') return '';
  if (list.run_state === 'paused') return 'Paused · ';
  return list.run_state === 'preparing' ? 'Preparing · ' : `${percentDone(list)}% · `;
}
