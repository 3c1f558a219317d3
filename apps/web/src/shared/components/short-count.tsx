import { formatCredits, formatShortCount } from '../format/counts.ts';

/** A count in short form; its tooltip has it in full. */
export function ShortCount({ of: count }: { of: number }) {
  return <span title={formatCredits(count)}>{formatShortCount(count)}</span>;
}
