import { useListRenaming } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { validationListKeys } from './keys.ts';

export function useRenameList() {
  const { api } = useServices();
  return useListRenaming(validationListKeys, ({ list, name }) =>
    api.validations.renameList({ params: { list_id: list.id }, body: { id: list.id, name } }),
  );
}
