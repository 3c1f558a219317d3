import { PageHeader } from '../../shared/components/page-header.tsx';
import type { Grid } from '../../shared/navigation/grid-paging.ts';
import { GridTabs } from '../../shared/navigation/grid-tabs.tsx';
import { useGuesses } from './api/get-guesses.ts';
import { useLists } from './api/get-lists.ts';
import { GuessListsGrid } from './bulk/guess-lists-grid.tsx';
import { ImportPeople } from './bulk/import-people.tsx';
import { gridPaging } from './grid-paging.ts';
import classes from './guessing-page.module.css';
import { useGuessEvents } from './realtime/use-guess-events.ts';
import { GuessForm } from './single/guess-form.tsx';
import { GuessesGrid } from './single/guesses-grid.tsx';

export const SingleGuessingPage = () => <GuessingPage grid="single" />;
export const BulkGuessingPage = () => <GuessingPage grid="bulk" />;

function GuessingPage({ grid }: { grid: Grid }) {
  useGuessEvents();
  return (
    <>
      {grid === 'bulk' ? null : <title>Email guessing · Assay</title>}
      <PageHeader
        title="Email guessing"
        description="Find somebody's email from their name and company. Each guess is proved with the mail host before you see it."
        actions={<ImportPeople />}
      />
      <div className={classes.form}>
        <GuessForm />
      </div>
      <GridTabs
        grid={grid}
        gridPaging={gridPaging}
        single={{ label: 'Single guesses', usePage: useGuesses, Rows: GuessesGrid }}
        bulk={{ label: 'Bulk guesses', usePage: useLists, Rows: GuessListsGrid }}
      />
    </>
  );
}
