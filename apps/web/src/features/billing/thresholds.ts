import { BALANCE_ALERTS_MAX, CUSTOM_PLAN_MONTHLY_CREDITS_MAX } from '@assay/contract';
import { formatCredits } from '../../shared/format/counts.ts';

/** '1,000; 100' as people read it. */
export const formatThresholds = (thresholds: readonly number[]): string =>
  thresholds.map(formatCredits).join('; ');

export const THRESHOLDS_RULE = `Enter up to ${BALANCE_ALERTS_MAX} whole numbers above 0, separated by semicolons or spaces.`;

/** Null when the text is something else than thresholds. Commas group digits, as they do in what we show. */
export function readThresholds(text: string): number[] | null {
  const words = text.split(/[;\s]+/).filter((word) => word !== '');
  if (!words.every((word) => /^\d[\d,]{0,15}$/.test(word))) return null;
  const thresholds = [...new Set(words.map((word) => Number(word.replaceAll(',', ''))))];
  const isRight = (threshold: number) => threshold > 0 && threshold <= CUSTOM_PLAN_MONTHLY_CREDITS_MAX;
  return thresholds.length <= BALANCE_ALERTS_MAX && thresholds.every(isRight) ? thresholds : null;
}
