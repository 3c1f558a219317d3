import type { ValidationList, Verdict } from '@assay/contract';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../../../shared/components/icon.tsx';
import { useExportList } from '../api/export-list.ts';
import { categoriesOf, downloadLabel, filledCategories, selectedOf } from './categories.ts';
import { CategoryCards } from './category-cards.tsx';
import classes from './list-summary.module.css';

// The chart library is heavier than the rest of the page.
const VerdictDonut = lazy(async () => ({
  default: (await import('../components/verdict-donut.tsx')).VerdictDonut,
}));

/** How the emails of a list divide, and the download of the chosen part. */
export function ListSummary({ list }: { list: ValidationList }) {
  const [chosen, setChosen] = useState<readonly Verdict[]>();
  const exportList = useExportList();
  const { completed } = list.validation_email_metrics;
  const categories = categoriesOf(list);
  const filled = filledCategories(categories);
  const selected = selectedOf(filled, chosen);
  const download = () => exportList.mutate({ list, verdicts: selected.map(({ verdict }) => verdict) });
  return (
    <section className={classes.root} aria-label="Results">
      <div className={classes.donut} data-empty={completed === 0}>
        <Suspense>
          <VerdictDonut counts={categories} middle={{ count: completed, caption: 'completed' }} />
        </Suspense>
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
          loading={exportList.isPending}
          onClick={download}
          leftSection={<Icon name="download" size={18} />}
        >
          {downloadLabel(selected)}
        </Button>
      </div>
    </section>
  );
}
