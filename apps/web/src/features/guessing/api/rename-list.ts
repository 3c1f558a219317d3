import { useListRenaming } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessListKeys } from './keys.ts';

export function useRenameList() {
  const { api } = useServices();
  return useListRenaming(guessListKeys, ({ list, name }) =>
    api.guessing.renameList({ params: { list_id: list.id }, body: { name } }),
  );
}
