import { useListCreation } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { validationListKeys } from './keys.ts';

export function useCreateList() {
  const { api } = useServices();
  return useListCreation(validationListKeys, ({ uploadId, withHeaders, name }) =>
    api.validations.createList({
      body: { upload_id: uploadId, with_headers: withHeaders, ...(name === undefined ? {} : { name }) },
      idempotencyKey: crypto.randomUUID(),
    }),
  );
}
