import type { ExportFormat } from '@assay/contract';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';

export const useDownloadFormat = () => useState<ExportFormat>('csv');

const formats: readonly { readonly value: ExportFormat; readonly label: string }[] = [
  { value: 'csv', label: 'CSV file' },
  { value: 'xlsx', label: 'Excel file (.xlsx)' },
];

const label = 'File format';

interface DownloadFormatProps {
  value: ExportFormat;
  /** Seen above the field; otherwise only screen readers get it. */
  hasLabel?: boolean;
  onChange: (format: ExportFormat) => void;
}

export const DownloadFormat = ({ value, hasLabel = false, onChange }: DownloadFormatProps) => (
  <NativeSelect
    {...(hasLabel ? { label } : { 'aria-label': label })}
    value={value}
    data={formats}
    onChange={({ currentTarget }) => onChange(currentTarget.value as ExportFormat)}
  />
);
