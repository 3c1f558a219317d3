import type { ListPreview } from '@assay/contract';
import { Button } from '@mantine/core';
import { metricsOf } from '../../../shared/bulk-import/bulk-cost.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { useExportExclusions } from '../api/export-exclusions.ts';
import classes from './before-paying.module.css';
import { excludedGroups } from './excluded-groups.ts';

interface ExclusionsProps {
  preview: ListPreview;
  withHeaders: boolean;
}

/** The rows that are not verified, by reason, and all of them as a file. */
export function Exclusions({ preview, withHeaders }: ExclusionsProps) {
  const exportExclusions = useExportExclusions();
  const groups = excludedGroups(preview, metricsOf(preview, withHeaders), withHeaders);
  if (groups.length === 0) return null;
  return (
    <details className={classes.more}>
      <summary>Which emails are excluded</summary>
      {groups.map(({ title, examples, rest }) => (
        <div key={title} className={classes.group}>
          <h3>{title}</h3>
          <ul>
            {examples.map(({ row, email }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one row can hold several, and they never move
              <li key={`${row} ${index}`}>
                Row {row}
                {email === '' ? null : <span>{email}</span>}
              </li>
            ))}
            {rest === null ? null : <li>{rest}</li>}
          </ul>
        </div>
      ))}
      <Button
        size="compact-md"
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        loading={exportExclusions.isPending}
        onClick={() => exportExclusions.mutate({ uploadId: preview.upload_id, withHeaders })}
      >
        Download excluded emails
      </Button>
    </details>
  );
}
