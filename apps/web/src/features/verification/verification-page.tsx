import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { pastedFile } from '../../shared/bulk-import/list-file.ts';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { snackbar } from '../../shared/components/snackbar.tsx';
import { GridTabs } from '../../shared/navigation/grid-tabs.tsx';
import { pageTitles } from '../../shared/navigation/page-titles.ts';
import { focusTargetOf } from '../../shared/shortcuts/shortcuts.ts';
import { useCreateSampleList } from './api/create-sample-list.ts';
import { useLists } from './api/get-lists.ts';
import { useSingles } from './api/get-singles.ts';
import { ValidationListsGrid } from './bulk/validation-lists-grid.tsx';
import { FirstSteps } from './first-steps/first-steps.tsx';
import { gridPaging } from './grid-paging.ts';
import { ImportEmailList } from './import/import-email-list.tsx';
import { verificationWords } from './import/verification-words.ts';
import { MetricsPanel } from './metrics/metrics-panel.tsx';
import { useSingleEvents } from './realtime/use-single-events.ts';
import { LatestResult, type StartedCheck } from './single/latest-result.tsx';
import { SingleEmailForm } from './single/single-email-form.tsx';
import { SinglesGrid } from './single/singles-grid.tsx';
import classes from './verification-page.module.css';

// Its rules for phone numbers are heavy, and few people ever see it.
const RequestCallDialog = lateDialog(
  async () => (await import('../../shared/request-call/request-call-dialog.tsx')).RequestCallDialog,
);

export function VerificationPage() {
  const { uploadMode } = useParams();
  useSingleEvents();
  const [handedOver, setHandedOver] = useState<readonly File[]>();
  const navigate = useNavigate();
  const createSample = useCreateSampleList();
  const startSample = async () => {
    if (createSample.isPending) return;
    const list = await createSample.mutateAsync(undefined).catch(() => undefined);
    if (list === undefined) return;
    snackbar.success(verificationWords.started(list.name));
    void navigate(`${gridPaging.gridPath('bulk')}/${list.id}`);
  };
  const firstSteps = { onCheck: () => focusTargetOf('v'), onImportSample: () => void startSample() };
  return (
    <>
      {uploadMode === 'bulk' ? null : <title>{`${pageTitles.verification} · Assay`}</title>}
      <PageHeader title={pageTitles.verification} />
      <Starters handedOver={handedOver} onSeveralPasted={(text) => setHandedOver([pastedFile(text)])} />
      <FirstSteps place="top" {...firstSteps} />
      <MetricsPanel />
      <GridTabs
        grid={uploadMode === 'bulk' ? 'bulk' : 'single'}
        gridPaging={gridPaging}
        single={{ label: 'Single verifications', usePage: useSingles, Rows: SinglesGrid }}
        bulk={{ label: 'Bulk verifications', usePage: useLists, Rows: ValidationListsGrid }}
      />
      <FirstSteps place="bottom" {...firstSteps} />
    </>
  );
}

interface StartersProps {
  /** Files that come from elsewhere than the import dialog. */
  handedOver: readonly File[] | undefined;
  onSeveralPasted: (text: string) => void;
}

/** The two ways to begin: one address, or a file of them. */
function Starters({ handedOver, onSeveralPasted }: StartersProps) {
  const navigate = useNavigate();
  const [isCallOffered, setIsCallOffered] = useState(false);
  const [latest, setLatest] = useState<StartedCheck>();
  return (
    <div className={classes.starters}>
      <div>
        <SingleEmailForm
          onNoCredits={() => setIsCallOffered(true)}
          onStarted={setLatest}
          onFailed={() => setLatest(undefined)}
          onSeveralPasted={onSeveralPasted}
        />
        {latest ? <LatestResult key={latest.email_address} started={latest} /> : null}
      </div>
      <ImportEmailList handedOver={handedOver} />
      <RequestCallDialog
        isOpen={isCallOffered}
        onClose={() => setIsCallOffered(false)}
        onBuyCredits={() => void navigate('/billing/packs')}
      />
    </div>
  );
}
