import type { SingleValidation } from '@assay/contract';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import type { Panel } from '../../../shared/components/use-panel.ts';
import { useSingle } from '../api/get-single.ts';

const EvidencePanel = lateDialog(
  async () => (await import('../../../shared/evidence/evidence-panel.tsx')).EvidencePanel,
);

/** The evidence of the single check that the panel was opened for. */
export function SingleEvidence({ panel }: { panel: Panel<SingleValidation> }) {
  const detail = useSingle(panel.subject?.id);
  return (
    <EvidencePanel
      isOpen={panel.isOpen}
      // What was pending when the panel was opened may be complete by now.
      email={detail.data ?? panel.subject}
      detail={asyncStateOf(detail)}
      onRetry={() => void detail.refetch()}
      onClose={panel.close}
    />
  );
}
