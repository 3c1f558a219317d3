import type { ListPreview } from '@assay/contract';
import { metricsOf } from '../../../shared/bulk-import/bulk-cost.ts';
import { ExcludedRows } from '../../../shared/bulk-import/excluded-rows.tsx';
import { useExportExclusions } from '../api/export-exclusions.ts';
import { excludedGroups } from './excluded-groups.ts';

interface ExclusionsProps {
  preview: ListPreview;
  withHeaders: boolean;
}

export function Exclusions({ preview, withHeaders }: ExclusionsProps) {
  const exportExclusions = useExportExclusions();
  return (
    <ExcludedRows
      noun="emails"
      groups={excludedGroups(preview, metricsOf(preview, withHeaders), withHeaders)}
      isDownloading={exportExclusions.isPending}
      onDownload={() => exportExclusions.mutate({ uploadId: preview.upload_id, withHeaders })}
    />
  );
}
