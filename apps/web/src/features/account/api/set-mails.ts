import { useMutation, useQueryClient } from '@tanstack/react-query';
import { userQuery } from '../../../shared/api/user-query.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

export type MailKind = 'list_mails' | 'balance_mails' | 'plan_mails';

export function useSetMails(kind: MailKind) {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isOn: boolean) => services.api.users.updateMe({ body: { [kind]: isOn } }),
    onSuccess: (user) =>
      queryClient.setQueryData(userQuery(services).queryKey, services.remembered.keep('user', user)),
  });
}
