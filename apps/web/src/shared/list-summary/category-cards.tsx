import type { Verdict } from '@assay/contract';
import { UnstyledButton } from '@mantine/core';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { verdictLooks } from '../components/verdicts.ts';
import { formatCredits, formatShortCount } from '../format/counts.ts';
import type { Category } from './categories.ts';
import classes from './category-cards.module.css';

interface CategoryCardsProps {
  categories: readonly Category[];
  completed: number;
  selected: readonly Category[];
  onToggle: (verdict: Verdict) => void;
}

/** One card per category, to be selected for the download. */
export function CategoryCards({ categories, completed, selected, onToggle }: CategoryCardsProps) {
  const chosen = selected.map(({ verdict }) => verdict);
  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>Results to download</legend>
      {categories.map(({ verdict, count, label = true }) => (
        <UnstyledButton
          key={verdict}
          className={classes.card}
          style={cardColors(verdict)}
          aria-pressed={chosen.includes(verdict)}
          onClick={() => onToggle(verdict)}
        >
          <VerdictMark verdict={verdict} size={20} label={label} />
          <span className={classes.tick} aria-hidden="true" />
          <strong className={classes.count} title={formatCredits(count)}>
            {formatShortCount(count)}
          </strong>
          <span className={classes.share}>{shareText(count, completed)}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

const cardColors = (verdict: Verdict): React.CSSProperties =>
  ({
    '--card-color': verdictLooks[verdict].color,
    '--card-tint': verdictLooks[verdict].tintColor,
  }) as React.CSSProperties;

/** '46%'; rounding never makes a share 0% or 100%. */
function shareText(count: number, completed: number): string {
  const percent = (count / Math.max(1, completed)) * 100;
  if (percent < 1) return 'less than 1%';
  if (percent < 100 && percent > 99) return 'more than 99%';
  return `${Math.round(percent)}%`;
}
