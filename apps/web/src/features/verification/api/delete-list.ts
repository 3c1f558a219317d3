import { useListDeletion } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { validationListKeys } from './keys.ts';

export function useDeleteById() {
  const { api } = useServices();
  return (listId: string) => api.validations.deleteList({ params: { list_id: listId } });
}

export const useDeleteList = () => useListDeletion(validationListKeys, useDeleteById());
