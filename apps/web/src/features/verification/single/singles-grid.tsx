import type { SingleValidation } from '@assay/contract';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { EvidencePanel } from '../../../shared/evidence/evidence-panel.tsx';
import { VerdictButton } from '../../../shared/evidence/verdict-button.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useSingle } from '../api/get-single.ts';
import type { useSingles } from '../api/get-singles.ts';
import { SandboxMark } from '../components/sandbox-mark.tsx';
import { useSingleEvents } from '../realtime/use-single-events.ts';

interface SinglesGridProps {
  singles: ReturnType<typeof useSingles>;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
}

export function SinglesGrid({ singles, paging, onPagingChange }: SinglesGridProps) {
  const evidence = usePanel<SingleValidation>();
  const detail = useSingle(evidence.subject?.id);
  useSingleEvents();
  return (
    <>
      <DataGrid
        name="single verifications"
        columns={[
          {
            header: 'File name',
            cell: ({ email_address, sandbox }) => <SandboxMark name={email_address} isSandbox={sandbox} />,
          },
          { header: 'Status', cell: ({ status }) => statusWords[status] },
          {
            header: 'Result',
            cell: (single) => <Result single={single} onOpen={() => evidence.open(single)} />,
          },
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(singles)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void singles.refetch()}
        empty={
          <EmptyState
            icon={<VerdictMark verdict="VALID" size={32} />}
            title="No single verifications yet"
            description="Type an email above and press Enter. Its result appears here, with the reason for it."
          />
        }
      />
      <EvidencePanel
        isOpen={evidence.isOpen}
        // What was pending when the panel was opened may be complete by now.
        email={detail.data ?? evidence.subject}
        detail={asyncStateOf(detail)}
        onRetry={() => void detail.refetch()}
        onClose={evidence.close}
      />
    </>
  );
}

const statusWords: Readonly<Record<SingleValidation['status'], string>> = {
  PENDING: 'Pending',
  IN_PROGRESS: 'In progress',
  COMPLETE: 'Complete',
};

function Result({ single, onOpen }: { single: SingleValidation; onOpen: () => void }) {
  const { email_address_status: verdict, reason } = single;
  if (verdict === null) return <VerdictMark verdict="PENDING" label="Verifying..." />;
  return <VerdictButton verdict={verdict} reason={reason?.text} onOpen={onOpen} />;
}
