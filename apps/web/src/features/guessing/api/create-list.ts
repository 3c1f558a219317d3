import { useListCreation } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessListKeys } from './keys.ts';

export function useCreateList() {
  const { api } = useServices();
  return useListCreation(guessListKeys, ({ uploadId, withHeaders }) =>
    api.guessing.createList({
      body: { upload_id: uploadId, with_headers: withHeaders },
      idempotencyKey: crypto.randomUUID(),
    }),
  );
}
