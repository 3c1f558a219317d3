import '@mantine/charts/styles.layer.css';
import { DonutChart } from '@mantine/charts';
import { type Verdict, verdictLooks } from '../components/verdicts.ts';
import { formatCredits, formatShortCount } from '../format/counts.ts';
import classes from './verdict-donut.module.css';

interface VerdictDonutProps {
  /** In the order in which they go round, clockwise from the top. */
  counts: readonly { readonly verdict: Verdict; readonly count: number; readonly label?: string }[];
  /** The number in the middle and the word below it. */
  middle: { readonly count: number; readonly caption: string };
  size?: number;
}

/**
 * How a number of emails divides into verdicts. The chart library is heavy: import this file lazily. What it shows has to
 * stand in words beside it too.
 */
export function VerdictDonut({ counts, middle, size = 168 }: VerdictDonutProps) {
  const shown = counts.filter(({ count }) => count > 0);
  const words = shown.map((one) => `${wordOf(one)} ${formatCredits(one.count)}`);
  return (
    <div
      className={classes.root}
      style={{ width: size, height: size }}
      role="img"
      aria-label={`${formatCredits(middle.count)} ${middle.caption}: ${words.join(', ')}`}
    >
      <DonutChart
        data={shown.map((one) => ({
          name: wordOf(one),
          value: one.count,
          color: verdictLooks[one.verdict].color,
        }))}
        size={size}
        thickness={Math.round(size * 0.13)}
        paddingAngle={shown.length > 1 ? 1.5 : 0}
        startAngle={90}
        endAngle={-270}
        strokeWidth={0}
        // Even one address in a million leaves a sliver that can be seen. The label of the whole says what there is, so
        // the keyboard does not stop at its parts.
        pieProps={{ minAngle: 3, rootTabIndex: -1 }}
        tooltipDataSource="segment"
        valueFormatter={formatCredits}
        accessibilityLayer={false}
      />
      <p className={classes.middle} aria-hidden="true" title={formatCredits(middle.count)}>
        <strong>{formatShortCount(middle.count)}</strong>
        <span>{middle.caption}</span>
      </p>
    </div>
  );
}

const wordOf = ({ verdict, label }: { readonly verdict: Verdict; readonly label?: string }): string =>
  label ?? verdictLooks[verdict].label;
