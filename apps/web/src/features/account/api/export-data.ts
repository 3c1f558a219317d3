import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { followDownload } from '../../../shared/navigation/follow-download.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

/** Asks for the archive and lets the browser fetch it. */
export function useExportData() {
  const { api } = useServices();
  return useMutation({
    mutationFn: () => api.records.exportData(),
    onSuccess: ({ download_link }) => {
      followDownload(download_link);
      snackbar.success('The download of your data starts now.');
    },
  });
}
