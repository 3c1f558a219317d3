import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { type Verdict, verdictLooks } from '../../../shared/components/verdicts.ts';
import { formatCredits, formatShortCount } from '../../../shared/format/counts.ts';
import classes from './metrics-legend.module.css';

interface MetricsLegendProps {
  counts: readonly { readonly verdict: Verdict; readonly count: number }[];
}

export function MetricsLegend({ counts }: MetricsLegendProps) {
  return (
    <>
      <ul className={classes.entries}>
        {counts.map(({ verdict, count }) => (
          <li key={verdict}>
            <VerdictMark verdict={verdict} size={16} label={labelOf(verdict)} />
            <span title={formatCredits(count)}>{formatShortCount(count)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.note}>* You won't be charged for unknown emails</p>
    </>
  );
}

/** The star leads to the note. */
const labelOf = (verdict: Verdict): string =>
  `${verdictLooks[verdict].label}${verdict === 'UNKNOWN' ? ' *' : ''}`;
