import { useListDeletion } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessListKeys } from './keys.ts';

export function useDeleteList() {
  const { api } = useServices();
  return useListDeletion(guessListKeys, (listId) => api.guessing.deleteList({ params: { list_id: listId } }));
}
