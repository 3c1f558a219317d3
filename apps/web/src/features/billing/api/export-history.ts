import { useMutation } from '@tanstack/react-query';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { type HistoryFilter, queryOf } from '../history-filter.ts';

interface HistoryExport {
  /** What the messages call it. */
  readonly list: { readonly name: string };
  readonly filter: HistoryFilter;
}

/** Asks for the history as a file and lets the browser fetch it. */
export function useExportHistory() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ filter }: HistoryExport) => api.billing.exportTransactions({ query: queryOf(filter) }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
