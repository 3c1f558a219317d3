import { useMutation } from '@tanstack/react-query';
import type { PreviewOrder } from '../../../shared/bulk-import/use-bulk-import.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

/** What a file would cost. Its failure is shown by the confirmation dialog. */
export function usePreviewList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ file, uploadId, sheet, columns, ...options }: PreviewOrder) =>
      api.validations.previewList({
        body:
          uploadId === undefined
            ? { sheet, email_column: columns?.email_column, list_raw: file }
            : { upload_id: uploadId, email_column: columns?.email_column },
        ...options,
      }),
    meta: { hasOwnErrorText: true },
  });
}
