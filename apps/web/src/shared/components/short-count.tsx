import { formatCredits, formatShortCount } from '../format/counts.ts';

/** A count in short form, and in full for whoever rests the pointer on it. */
export function ShortCount({ of: count }: { of: number }) {
  return <span title={formatCredits(count)}>{formatShortCount(count)}</span>;
}
