import type { ExportFormat } from '@assay/contract';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';

export const useDownloadFormat = () => useState<ExportFormat>('csv');

const formats: readonly { readonly value: ExportFormat; readonly label: string }[] = [
  { value: 'csv', label: 'CSV file' },
  { value: 'xlsx', label: 'Excel file (.xlsx)' },
];

interface DownloadFormatProps {
  value: ExportFormat;
  onChange: (format: ExportFormat) => void;
}

export const DownloadFormat = ({ value, onChange }: DownloadFormatProps) => (
  <NativeSelect
    aria-label="File format"
    value={value}
    data={formats}
    onChange={({ currentTarget }) => onChange(currentTarget.value as ExportFormat)}
  />
);
