import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

/** What a sample of a previewed file of people shows, for free. */
export function useEstimateList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (uploadId: string) => api.guessing.estimateList({ params: { upload_id: uploadId } }),
  });
}
