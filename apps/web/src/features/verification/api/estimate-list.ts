import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

/** What a sample of a previewed file shows, for free. */
export function useEstimateList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (uploadId: string) => api.validations.estimateList({ params: { upload_id: uploadId } }),
  });
}
