import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

interface PreviewOrder {
  readonly file: File;
  readonly signal?: AbortSignal;
}

/** What a CSV file would cost. Its failure is shown by the confirmation dialog. */
export function usePreviewList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ file, signal }: PreviewOrder) =>
      api.validations.previewList({ body: { list_raw: file }, ...(signal && { signal }) }),
    meta: { hasOwnErrorText: true },
  });
}
