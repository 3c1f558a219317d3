import { Tabs } from '@mantine/core';
import { useNavigate } from 'react-router';
import { DEFAULT_PAGING } from '../../shared/components/data-grid/paging.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { formatCredits } from '../../shared/format/counts.ts';
import { type Grid, useLastPage } from '../../shared/navigation/grid-paging.ts';
import { useGuesses } from './api/get-guesses.ts';
import { useLists } from './api/get-lists.ts';
import { GuessListsGrid } from './bulk/guess-lists-grid.tsx';
import { ImportPeople } from './bulk/import-people.tsx';
import { gridPath, useGridPaging } from './grid-paging.ts';
import classes from './guessing-page.module.css';
import { GuessForm } from './single/guess-form.tsx';
import { GuessesGrid } from './single/guesses-grid.tsx';

export const SingleGuessingPage = () => <GuessingPage grid="single" />;
export const BulkGuessingPage = () => <GuessingPage grid="bulk" />;

function GuessingPage({ grid }: { grid: Grid }) {
  return (
    <>
      <title>Email guessing · Assay</title>
      <PageHeader
        title="Email guessing"
        description="Find somebody's email from their name and company. Each guess is proved with the mail host before you see it."
        actions={<ImportPeople />}
      />
      <div className={classes.form}>
        <GuessForm />
      </div>
      <Grids grid={grid} />
    </>
  );
}

function Grids({ grid }: { grid: Grid }) {
  const navigate = useNavigate();
  const [paging, setPaging] = useGridPaging(grid);
  const guesses = useGuesses(grid === 'single' ? paging : DEFAULT_PAGING);
  const lists = useLists(grid === 'bulk' ? paging : DEFAULT_PAGING);
  const shown = grid === 'single' ? guesses : lists;
  useLastPage(paging, shown.isPlaceholderData ? undefined : shown.data?.total, setPaging);

  return (
    <Tabs
      value={grid}
      onChange={(next) => void navigate(gridPath(next as Grid))}
      classNames={{ root: classes.tabs, tab: classes.tab }}
    >
      <Tabs.List>
        <Tabs.Tab value="single">Single guesses{totalText(guesses.data)}</Tabs.Tab>
        <Tabs.Tab value="bulk">Bulk guesses{totalText(lists.data)}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={grid} pt="lg">
        {grid === 'single' ? (
          <GuessesGrid guesses={guesses} paging={paging} onPagingChange={setPaging} />
        ) : (
          <GuessListsGrid lists={lists} paging={paging} onPagingChange={setPaging} />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const totalText = (page: { readonly total: number } | undefined): string =>
  page === undefined ? '' : ` (${formatCredits(page.total)})`;
