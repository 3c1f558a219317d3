import type { ExportFormat, ValidationList, Verdict } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

interface ExportOrder {
  readonly list: Pick<ValidationList, 'id' | 'name'>;
  readonly verdicts: readonly Verdict[];
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
    mutationFn: ({ list, verdicts, rows, safe, format }: ExportOrder) =>
      api.validations.exportList({
        params: { list_id: list.id },
        query: { status: verdicts, rows, safe, format },
      }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
