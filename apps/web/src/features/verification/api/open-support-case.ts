import { CALL_REQUEST_SUBJECT } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

/** Asks for a call from sales at this number. */
export function useRequestCall() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (phone: string) =>
      api.support.openCase({
        body: {
          subject: CALL_REQUEST_SUBJECT,
          description: `The customer asks for a call at ${phone} to discuss a plan.`,
        },
      }),
    meta: { hasOwnErrorText: true },
    onSuccess: () => snackbar.success('Support request succesful, you will called soon.'),
    onError: () => snackbar.error('Support request failed, try again later'),
  });
}
