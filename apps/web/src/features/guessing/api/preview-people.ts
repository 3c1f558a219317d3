import { useMutation } from '@tanstack/react-query';
import type { PreviewOrder } from '../../../shared/bulk-import/use-bulk-import.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

/** What a CSV file of people would cost. Its failure is shown by the confirmation dialog. */
export function usePreviewPeople() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ file, sheet, signal, onUploadProgress }: PreviewOrder) =>
      api.guessing.previewList({ body: { sheet, list_raw: file }, signal, onUploadProgress }),
    meta: { hasOwnErrorText: true },
  });
}
