import { useMutation } from '@tanstack/react-query';
import { followDownload } from '../../../shared/navigation/follow-download.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

/** Asks for the rows of a previewed file that are not guessed, and lets the browser fetch them. */
export function useExportExclusions() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ uploadId, withHeaders }: { uploadId: string; withHeaders: boolean }) =>
      api.guessing.exportExclusions({
        params: { upload_id: uploadId },
        query: { with_headers: withHeaders },
      }),
    onSuccess: ({ download_link }) => followDownload(download_link),
  });
}
