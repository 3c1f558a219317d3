import { type Verdict, verdictLooks } from '../components/verdicts.ts';
import { formatCredits, formatShortCount } from '../format/counts.ts';
import { ringPath, slicesOf } from './donut-slices.ts';
import classes from './verdict-donut.module.css';

interface VerdictDonutProps {
  /** In the order in which they go round, clockwise from the top. */
  counts: readonly { readonly verdict: Verdict; readonly count: number; readonly label?: string }[];
  /** The number in the middle and the word below it. */
  middle: { readonly count: number; readonly caption: string };
  /** How many of the whole have no result yet; drawn pale. */
  rest?: number;
  /** Side in px. */
  size: number;
}

/** How a number of emails divides into verdicts. What it shows has to stand in words beside it too. */
export function VerdictDonut({ counts, middle, rest = 0, size }: VerdictDonutProps) {
  const thickness = Math.round(size * 0.13);
  const shown = counts.filter(({ count }) => count > 0);
  const words = shown.map((one) => `${wordOf(one)} ${formatCredits(one.count)}`);
  const slices = slicesOf([...shown.map(({ count }) => count), ...(rest > 0 ? [rest] : [])]);
  const restSlice = slices[shown.length];
  return (
    <div
      className={classes.root}
      style={{ width: size, height: size, fontSize: size < 120 ? '0.75rem' : '1rem' }}
      role="img"
      aria-label={`${formatCredits(middle.count)} ${middle.caption}: ${words.join(', ')}`}
    >
      <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        {shown.map(({ verdict }, index) => (
          <path
            key={verdict}
            d={ringPath(slices[index] ?? { start: 0, end: 0 }, { size, thickness })}
            fill={verdictLooks[verdict].color}
          >
            <title>{words[index]}</title>
          </path>
        ))}
        {restSlice ? (
          <path d={ringPath(restSlice, { size, thickness })} fill="var(--assay-line)">
            <title>{`No result yet ${formatCredits(rest)}`}</title>
          </path>
        ) : null}
      </svg>
      <p className={classes.middle} aria-hidden="true" title={formatCredits(middle.count)}>
        <strong>{formatShortCount(middle.count)}</strong>
        <span>{middle.caption}</span>
      </p>
    </div>
  );
}

const wordOf = ({ verdict, label }: { readonly verdict: Verdict; readonly label?: string }): string =>
  label ?? verdictLooks[verdict].label;
