import type { AddressFlag, ExportFormat, ResultColumn, ValidationList, Verdict } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

interface ExportOrder {
  readonly list: Pick<ValidationList, 'id' | 'name'>;
  readonly status?: readonly Verdict[];
  readonly search?: string;
  readonly reason?: readonly string[];
  readonly flag?: readonly AddressFlag[];
  readonly mx_provider?: readonly string[];
  /** From 1; all columns of the customer's unless given, and none for 0. */
  readonly column?: readonly number[];
  /** All columns of ours unless given. */
  readonly result_column?: readonly ResultColumn[];
  /** `all` is the customer's file row for row; otherwise one row per address. */
  readonly rows?: 'all' | 'distinct';
  /** Only what is safe to send to. */
  readonly safe?: boolean;
  readonly format?: ExportFormat;
}

/** Asks for the verified file and lets the browser fetch it. */
export function useExportList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ list, ...query }: ExportOrder) =>
      api.validations.exportList({ params: { list_id: list.id }, query }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
