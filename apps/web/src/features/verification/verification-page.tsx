import { Tabs } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { DEFAULT_PAGING } from '../../shared/components/data-grid/paging.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { formatCredits } from '../../shared/format/counts.ts';
import { type Grid, useLastPage } from '../../shared/navigation/grid-paging.ts';
import { useLists } from './api/get-lists.ts';
import { useSingles } from './api/get-singles.ts';
import { ListsGrid } from './bulk/lists-grid.tsx';
import { gridPath, useGridPaging } from './grid-paging.ts';
import { ImportEmailList } from './import/import-email-list.tsx';
import { MetricsPanel } from './metrics/metrics-panel.tsx';
import { SingleEmailForm } from './single/single-email-form.tsx';
import { SinglesGrid } from './single/singles-grid.tsx';
import classes from './verification-page.module.css';

// Its rules for phone numbers are heavy, and few people ever see it.
const RequestCallDialog = lazy(async () => ({
  default: (await import('./request-call/request-call-dialog.tsx')).RequestCallDialog,
}));

export function VerificationPage() {
  const { uploadMode } = useParams();
  return (
    <>
      <title>Email verification · Assay</title>
      <PageHeader title="Email verification" />
      <Starters />
      <MetricsPanel />
      <Grids grid={uploadMode === 'bulk' ? 'bulk' : 'single'} />
    </>
  );
}

/** The two ways to begin: one address, or a file of them. */
function Starters() {
  const [isCallOffered, setIsCallOffered] = useState(false);
  const [wasCallOffered, setWasCallOffered] = useState(false);
  const offerCall = () => {
    setIsCallOffered(true);
    setWasCallOffered(true);
  };
  return (
    <div className={classes.starters}>
      <SingleEmailForm onNoCredits={offerCall} />
      <ImportEmailList />
      <Suspense>
        {wasCallOffered ? (
          <RequestCallDialog isOpen={isCallOffered} onClose={() => setIsCallOffered(false)} />
        ) : null}
      </Suspense>
    </div>
  );
}

function Grids({ grid }: { grid: Grid }) {
  const navigate = useNavigate();
  const [paging, setPaging] = useGridPaging(grid);
  const singles = useSingles(grid === 'single' ? paging : DEFAULT_PAGING);
  const lists = useLists(grid === 'bulk' ? paging : DEFAULT_PAGING);
  const shown = grid === 'single' ? singles : lists;
  useLastPage(paging, shown.isPlaceholderData ? undefined : shown.data?.total, setPaging);

  return (
    <Tabs
      value={grid}
      onChange={(next) => void navigate(gridPath(next as Grid))}
      classNames={{ root: classes.tabs, tab: classes.tab }}
    >
      <Tabs.List>
        <Tabs.Tab value="single">Single verifications{totalText(singles.data)}</Tabs.Tab>
        <Tabs.Tab value="bulk">Bulk verifications{totalText(lists.data)}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={grid} pt="lg">
        {grid === 'single' ? (
          <SinglesGrid singles={singles} paging={paging} onPagingChange={setPaging} />
        ) : (
          <ListsGrid lists={lists} paging={paging} onPagingChange={setPaging} />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const totalText = (page: { readonly total: number } | undefined): string =>
  page === undefined ? '' : ` (${formatCredits(page.total)})`;
