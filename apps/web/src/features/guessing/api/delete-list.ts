import { useListDeletion } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessListKeys } from './keys.ts';

export function useDeleteById() {
  const { api } = useServices();
  return (listId: string) => api.guessing.deleteList({ params: { list_id: listId } });
}

export const useDeleteList = () => useListDeletion(guessListKeys, useDeleteById());
