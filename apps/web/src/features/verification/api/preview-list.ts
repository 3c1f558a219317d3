import type { CallOptions } from '@assay/client';
import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

interface PreviewOrder extends Pick<CallOptions, 'signal' | 'onUploadProgress'> {
  readonly file: File;
}

/** What a CSV file would cost. Its failure is shown by the confirmation dialog. */
export function usePreviewList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ file, ...options }: PreviewOrder) =>
      api.validations.previewList({ body: { list_raw: file }, ...options }),
    meta: { hasOwnErrorText: true },
  });
}
