import type { ExportFormat } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

interface SinglesExport {
  /** What the messages call it. */
  readonly list: { readonly name: string };
  readonly search: string;
  readonly format: ExportFormat;
}

/** Asks for a file of the single checks and lets the browser fetch it. */
export function useExportSingles() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ search, format }: SinglesExport) =>
      api.validations.exportSingles({ query: { search: search === '' ? undefined : search, format } }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
