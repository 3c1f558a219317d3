import { useListControl } from '../../../shared/lists/use-list-control.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { peopleWords } from '../bulk/people-words.ts';
import { guessListKeys } from './keys.ts';

export function useControlList() {
  const { api } = useServices();
  return useListControl({ keys: guessListKeys, calls: api.guessing, started: peopleWords.started });
}
