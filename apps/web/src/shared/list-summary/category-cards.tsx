import type { Verdict } from '@assay/contract';
import { UnstyledButton } from '@mantine/core';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { verdictLooks } from '../components/verdicts.ts';
import { formatCredits, formatShortCount } from '../format/counts.ts';
import { type Category, shareText } from './categories.ts';
import classes from './category-cards.module.css';

interface CategoryCardsProps {
  categories: readonly Category[];
  /** What the shares are of: the whole list, also while it runs. */
  total: number;
  selected: readonly Category[];
  onToggle: (verdict: Verdict) => void;
}

/** One card per category, to be selected for the download. */
export function CategoryCards({ categories, total, selected, onToggle }: CategoryCardsProps) {
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
          <VerdictMark verdict={verdict} size={16} label={label} />
          <span className={classes.tick} aria-hidden="true" />
          <strong className={classes.count} title={formatCredits(count)}>
            {formatShortCount(count)}
          </strong>
          <span className={classes.share}>{shareText(count, total)}</span>
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
