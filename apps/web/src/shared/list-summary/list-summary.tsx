import type { Verdict } from '@assay/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { type Category, downloadLabel, filledCategories, selectedOf, toggleCategory } from './categories.ts';
import { CategoryCards } from './category-cards.tsx';
import classes from './list-summary.module.css';
import { VerdictDonut } from './verdict-donut.tsx';

export type ChoiceChange = (chosen: readonly Verdict[]) => readonly Verdict[];

interface ListSummaryProps {
  categories: readonly Category[];
  completed: number;
  /** All rows of the list, of which some may have no result yet. */
  total: number;
  isDownloading: boolean;
  /** What a row of the download is called; emails unless given. */
  countText?: (count: number) => string;
  /** Where the list comes from, what it cost and when it ran. */
  facts: ReactNode;
  /** The chosen categories, which the page keeps; empty for none. */
  chosen: readonly Verdict[];
  /** Tells what follows from the last choice, which `chosen` may not show yet. */
  onChoose: (change: ChoiceChange) => void;
  onDownload: (verdicts: readonly Verdict[]) => void;
  /** A download that needs no choice. It is the primary one until a card is selected. */
  safe?: (isPrimary: boolean) => ReactNode;
  /** Choices for the download, beside its button. */
  options?: ReactNode;
}

/** How the results of a list divide, and the download of the chosen part: one strip above the rows. */
export function ListSummary({
  categories,
  completed,
  total,
  isDownloading,
  countText,
  facts,
  chosen,
  onChoose,
  onDownload,
  safe,
  options,
}: ListSummaryProps) {
  const [hasChosen, setHasChosen] = useState(false);
  const filled = filledCategories(categories);
  // An empty choice of the person takes back what was preselected. Before that it says nothing.
  const choiceOf = (verdicts: readonly Verdict[]) =>
    verdicts.length === 0 && !hasChosen ? undefined : verdicts;
  const selected = selectedOf(filled, choiceOf(chosen));
  const toggle = (verdict: Verdict) => {
    setHasChosen(true);
    onChoose((before) => toggleCategory(filled, choiceOf(before), verdict));
  };
  return (
    <section className={classes.box} aria-label="Results">
      <div className={classes.root}>
        <div className={classes.donut} data-empty={completed === 0}>
          <VerdictDonut
            counts={categories}
            rest={Math.max(0, total - completed)}
            middle={{ count: completed, caption: 'completed' }}
            size={DONUT_PX}
          />
        </div>
        <div className={classes.cards}>
          {filled.length === 0 ? (
            <p className={classes.waiting}>The first results appear here in a moment.</p>
          ) : (
            <CategoryCards
              categories={filled}
              total={Math.max(total, completed)}
              selected={selected}
              onToggle={toggle}
            />
          )}
        </div>
        <div className={classes.downloads}>
          {safe?.(selected.length === 0)}
          <Button
            className={classes.download}
            variant={safe === undefined || selected.length > 0 ? 'filled' : 'default'}
            disabled={selected.length === 0}
            loading={isDownloading}
            onClick={() => onDownload(selected.map(({ verdict }) => verdict))}
            leftSection={<Icon name="download" size={18} />}
          >
            {downloadLabel(selected, countText)}
          </Button>
          {options}
        </div>
        <div className={classes.facts}>{facts}</div>
      </div>
    </section>
  );
}

const DONUT_PX = 112;
