import { useListControl } from '../../../shared/lists/use-list-control.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { peopleWords } from '../bulk/people-words.ts';
import { guessListKeys } from './keys.ts';

export function useControlList() {
  const { api } = useServices();
  const { pauseList, resumeList, finishList, reverifyList } = api.guessing;
  const paramsOf = (listId: string) => ({ params: { list_id: listId } });
  return useListControl({
    keys: guessListKeys,
    calls: {
      pause: (listId) => pauseList(paramsOf(listId)),
      resume: (listId) => resumeList(paramsOf(listId)),
      finish: (listId) => finishList(paramsOf(listId)),
      reverify: (listId) => reverifyList({ ...paramsOf(listId), idempotencyKey: crypto.randomUUID() }),
    },
    started: peopleWords.started,
  });
}
