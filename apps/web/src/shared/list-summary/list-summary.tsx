import type { Verdict } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
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
  onDownload: (verdicts: readonly Verdict[]) => void;
}

/** How the results of a list divide, and the download of the chosen part. */
export function ListSummary({
  categories,
  completed,
  isDownloading,
  countText,
  note,
  onDownload,
}: ListSummaryProps) {
  const [chosen, setChosen] = useState<readonly Verdict[]>();
  const filled = filledCategories(categories);
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
          <CategoryCards categories={filled} completed={completed} selected={selected} onSelect={setChosen} />
        )}
        <Button
          className={classes.download}
          disabled={selected.length === 0}
          loading={isDownloading}
          onClick={() => onDownload(selected.map(({ verdict }) => verdict))}
          leftSection={<Icon name="download" size={18} />}
        >
          {downloadLabel(selected, countText)}
        </Button>
        {note ? <p className={classes.note}>{note}</p> : null}
      </div>
    </section>
  );
}
