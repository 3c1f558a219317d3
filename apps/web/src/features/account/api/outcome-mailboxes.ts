import type { OutcomeMailbox } from '@assay/contract';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

const mailboxesKey = ['outcomes', 'mailboxes'] as const;
/** They are read every few minutes. */
const refetchMs = 30_000;

export function useOutcomeMailboxes() {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: mailboxesKey,
      queryFn: async ({ signal }): Promise<OutcomeMailbox[]> =>
        (await api.outcomeMailboxes.listMailboxes({ signal })).results,
      refetchInterval: refetchMs,
    }),
  );
}

interface NewMailbox {
  host: string;
  user_name: string;
  password: string;
  folder: string;
}

export function useConnectMailbox() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewMailbox) => api.outcomeMailboxes.connectMailbox({ body }),
    meta: { hasOwnErrorText: true },
    onSettled: () => reload(queryClient),
  });
}

export function useChangePassword({ id }: OutcomeMailbox) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      api.outcomeMailboxes.updateMailbox({ params: { id }, body: { password } }),
    meta: { hasOwnErrorText: true },
    onSettled: () => reload(queryClient),
  });
}

export function useDisconnectMailbox({ id }: OutcomeMailbox) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.outcomeMailboxes.deleteMailbox({ params: { id } }),
    onSettled: () => reload(queryClient),
  });
}

const reload = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: mailboxesKey });
