import type { Verdict } from '@assay/contract';
import classes from './verdict-bar.module.css';
import { verdictLooks } from './verdicts.ts';

export interface BarPart {
  readonly verdict: Verdict;
  readonly count: number;
}

/** How results divide, as a line. The numbers beside it say the same, so readers of text skip it. */
export function VerdictBar({ parts }: { parts: readonly BarPart[] }) {
  const filled = parts.filter(({ count }) => count > 0);
  if (filled.length === 0) return null;
  return (
    <span className={classes.root} aria-hidden="true">
      {filled.map(({ verdict, count }) => (
        <span key={verdict} style={{ flex: `${count} 1 0`, background: verdictLooks[verdict].color }} />
      ))}
    </span>
  );
}
