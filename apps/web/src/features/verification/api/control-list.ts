import { useListControl } from '../../../shared/lists/use-list-control.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationWords } from '../import/verification-words.ts';
import { validationListKeys } from './keys.ts';

export function useControlList() {
  const { api } = useServices();
  return useListControl({
    keys: validationListKeys,
    calls: api.validations,
    started: verificationWords.started,
  });
}
