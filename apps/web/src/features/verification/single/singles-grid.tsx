import type { SingleValidation } from '@assay/contract';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { EvidencePanel } from '../../../shared/evidence/evidence-panel.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useSingle } from '../api/get-single.ts';
import { EmailResult } from '../components/email-result.tsx';
import { SandboxMark } from '../components/sandbox-mark.tsx';
import { useSingleEvents } from '../realtime/use-single-events.ts';

export function SinglesGrid({ page, paging, onPagingChange }: GridPageProps<SingleValidation>) {
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
            cell: (single) => <EmailResult email={single} onOpen={() => evidence.open(single)} />,
          },
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(page)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void page.refetch()}
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
