import { useListCreation } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { validationListKeys } from './keys.ts';

/** Addresses of the sandbox with all four results, and reasons and flags of several kinds. */
const sampleEmails = [
  'jane@exists.test',
  'jane+news@exists.test',
  'info@exists.test',
  'nobody@exists.test',
  'somebody@no-such-domain.test',
  'not.well..formed@exists.test',
  'anyone@catch-all.test',
  'max@exists.test',
];

/** A list of the sandbox, which costs nothing. */
export function useCreateSampleList() {
  const { api } = useServices();
  return useListCreation(validationListKeys, (_order: undefined) =>
    api.validations.createListFromEmails({
      query: { sandbox: true },
      body: { name: 'Sample list', emails: sampleEmails },
      idempotencyKey: crypto.randomUUID(),
    }),
  );
}
