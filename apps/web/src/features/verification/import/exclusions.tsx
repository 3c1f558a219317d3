import type { ListPreview } from '@assay/contract';
import { metricsOf } from '../../../shared/bulk-import/bulk-cost.ts';
import { ExcludedRows } from '../../../shared/bulk-import/excluded-rows.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { askForExclusions } from '../api/export-exclusions.ts';
import { excludedGroups } from './excluded-groups.ts';

interface ExclusionsProps {
  preview: ListPreview;
  withHeaders: boolean;
}

export function Exclusions({ preview, withHeaders }: ExclusionsProps) {
  const services = useServices();
  return (
    <ExcludedRows
      noun="emails"
      groups={excludedGroups(preview, metricsOf(preview, withHeaders), withHeaders)}
      askForLink={() => askForExclusions(services, preview.upload_id, withHeaders)}
    />
  );
}
