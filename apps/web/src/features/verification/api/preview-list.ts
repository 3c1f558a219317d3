import { useMutation } from '@tanstack/react-query';
import type { PreviewOrder } from '../../../shared/bulk-import/use-bulk-import.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

/** What a CSV file would cost. Its failure is shown by the confirmation dialog. */
export function usePreviewList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ file, ...options }: PreviewOrder) =>
      api.validations.previewList({ body: { list_raw: file }, ...options }),
    meta: { hasOwnErrorText: true },
  });
}
