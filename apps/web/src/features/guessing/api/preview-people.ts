import { useMutation } from '@tanstack/react-query';
import type { PreviewOrder } from '../../../shared/bulk-import/use-bulk-import.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

/** What a CSV file of people would cost. Its failure is shown by the confirmation dialog. */
export function usePreviewPeople() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ file, uploadId, sheet, columns, ...options }: PreviewOrder) => {
      const { email_column: _, ...peopleColumns } = columns ?? {};
      return api.guessing.previewList({
        body:
          uploadId === undefined
            ? { sheet, ...peopleColumns, list_raw: file }
            : { upload_id: uploadId, ...peopleColumns },
        ...options,
      });
    },
    meta: { hasOwnErrorText: true },
  });
}
