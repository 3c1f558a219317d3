import type { Verdict } from '@assay/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { type Category, downloadLabel, filledCategories, selectedOf } from './categories.ts';
import { CategoryCards } from './category-cards.tsx';
import classes from './list-summary.module.css';
import { VerdictDonut } from './verdict-donut.tsx';

interface ListSummaryProps {
  categories: readonly Category[];
  completed: number;
  isDownloading: boolean;
  /** What a row of the download is called; emails unless given. */
  countText?: (count: number) => string;
  /** Said below the download. */
  note?: string | null;
  /** The chosen categories, where the page keeps them; empty for none. */
  chosen?: readonly Verdict[];
  onChoose?: (verdicts: readonly Verdict[]) => void;
  onDownload: (verdicts: readonly Verdict[]) => void;
  /** A download that needs no choice, offered first. */
  safe?: ReactNode;
  /** Choices for the download, beside its button. */
  options?: ReactNode;
}

/** How the results of a list divide, and the download of the chosen part. */
export function ListSummary({
  categories,
  completed,
  isDownloading,
  countText,
  note,
  chosen: givenChoice,
  onChoose,
  onDownload,
  safe,
  options,
}: ListSummaryProps) {
  const [ownChoice, setOwnChoice] = useState<readonly Verdict[]>();
  const filled = filledCategories(categories);
  const choose = (verdicts: readonly Verdict[]) => {
    setOwnChoice(verdicts);
    onChoose?.(verdicts);
  };
  // An address without a choice says nothing: the person may have taken back the one that was preselected.
  const chosen =
    givenChoice === undefined || givenChoice.length === 0 ? emptied(ownChoice, onChoose) : givenChoice;
  const selected = selectedOf(filled, chosen);
  return (
    <section className={classes.root} aria-label="Results">
      <div className={classes.donut} data-empty={completed === 0}>
        <VerdictDonut counts={categories} middle={{ count: completed, caption: 'completed' }} />
      </div>
      <div className={classes.choice}>
        {filled.length === 0 ? (
          <p className={classes.waiting}>The first results appear here in a moment.</p>
        ) : (
          <CategoryCards categories={filled} completed={completed} selected={selected} onSelect={choose} />
        )}
        {safe}
        <div className={classes.downloads}>
          <Button
            className={classes.download}
            disabled={selected.length === 0}
            loading={isDownloading}
            onClick={() => onDownload(selected.map(({ verdict }) => verdict))}
            leftSection={<Icon name="download" size={18} />}
          >
            {downloadLabel(selected, countText)}
          </Button>
          {options}
        </div>
        {note ? <p className={classes.note}>{note}</p> : null}
      </div>
    </section>
  );
}

/** Where the page keeps the choice, an earlier one of several is over; that nothing was chosen on purpose still counts. */
const emptied = (choice: readonly Verdict[] | undefined, onChoose: unknown) =>
  onChoose === undefined || choice === undefined ? choice : [];
