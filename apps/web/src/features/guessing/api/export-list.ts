import type { ExportFormat, GuessList, GuessOutcome } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

interface ExportOrder {
  readonly list: Pick<GuessList, 'id' | 'name'>;
  /** Nothing for the customer's file row for row. */
  readonly outcomes?: readonly GuessOutcome[];
  readonly format?: ExportFormat;
}

/** Asks for the file with the addresses added and lets the browser fetch it. */
export function useExportList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ list, outcomes, format }: ExportOrder) =>
      api.guessing.exportList({
        params: { list_id: list.id },
        query: { format, ...(outcomes === undefined ? { rows: 'all' } : { outcome: outcomes }) },
      }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
