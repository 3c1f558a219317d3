import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

interface ListOrder {
  /** From the preview: stands in for the file, which has travelled already. */
  readonly uploadId: string;
  readonly withHeaders: boolean;
}

export function useCreateList() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ uploadId, withHeaders }: ListOrder) =>
      api.guessing.createList({
        body: { upload_id: uploadId, with_headers: withHeaders },
        idempotencyKey: crypto.randomUUID(),
      }),
    meta: { changesWallet: true },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: guessingKeys.lists }),
  });
}
