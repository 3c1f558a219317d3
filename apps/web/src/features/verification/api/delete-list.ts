import { useListDeletion } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { validationListKeys } from './keys.ts';

export function useDeleteList() {
  const { api } = useServices();
  return useListDeletion(validationListKeys, (listId) =>
    api.validations.deleteList({ params: { list_id: listId } }),
  );
}
