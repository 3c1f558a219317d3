import type { ChosenEventType, Webhook } from '@assay/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const webhooksKey = ['users', 'webhooks'] as const;
const deliveriesKey = ['users', 'webhook-deliveries'] as const;

/** The customer's webhooks, loaded anew whenever something happened to an event. */
export function useWebhooks() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  useRealtimeEvent('refresh_webhooks', () => void queryClient.invalidateQueries({ queryKey: webhooksKey }));
  return useQuery(
    queryOptions({
      queryKey: webhooksKey,
      queryFn: async ({ signal }): Promise<Webhook[]> => {
        const { results } = await api.webhooks.listWebhooks({ query: { reveal: false }, signal });
        const known = queryClient.getQueryData<Webhook[]>(webhooksKey);
        return results.map((webhook) => withKnownSecret(webhook, known));
      },
    }),
  );
}

/** The list has masked secrets. One that was made here stays known, so that it can be copied without another sign-in. */
function withKnownSecret(webhook: Webhook, known: readonly Webhook[] | undefined): Webhook {
  const before = known?.find(({ id }) => id === webhook.id)?.secret;
  const isSame = before?.endsWith(webhook.secret.slice(-4)) && !before.includes('…');
  return before && isSame ? { ...webhook, secret: before } : webhook;
}

/** The whole secret, which the server tells only shortly after a sign-in, unless it was just made here. */
export function useRevealSecret({ id, secret }: Webhook) {
  const { api } = useServices();
  return useMutation({
    mutationFn: async (): Promise<string> => {
      if (!secret.includes('…')) return secret;
      const { results } = await api.webhooks.listWebhooks({ query: { reveal: true } });
      const webhook = results.find((result) => result.id === id);
      if (!webhook) throw new Error('This webhook was deleted in another tab.');
      return webhook.secret;
    },
  });
}

/** The delivery log, loaded anew whenever something happened to an event. */
export function useDeliveries({ id }: Pick<Webhook, 'id'>, { page, pageSize }: Paging) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  useRealtimeEvent('refresh_webhooks', () => void queryClient.invalidateQueries({ queryKey: deliveriesKey }));
  return useQuery(
    queryOptions({
      queryKey: [...deliveriesKey, id, page, pageSize],
      staleTime: 0,
      queryFn: ({ signal }) =>
        api.webhooks.listDeliveries({
          params: { id },
          query: { page_number: page, page_size: pageSize },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
  );
}

/** Adds a webhook, or changes this one. */
export function useSaveWebhook(webhook: Webhook | null) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { url: string; event_types: ChosenEventType[] | null }) =>
      webhook
        ? api.webhooks.updateWebhook({ params: { id: webhook.id }, body })
        : api.webhooks.createWebhook({ body }),
    meta: { hasOwnErrorText: true },
    onSuccess: (saved) => queryClient.setQueryData<Webhook[]>(webhooksKey, withSaved(saved)),
    // It may have been made, changed or deleted in another tab.
    onError: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
}

/** The new one comes last, as in the server's order. */
const withSaved =
  (saved: Webhook) =>
  (known: readonly Webhook[] = []): Webhook[] =>
    known.some(({ id }) => id === saved.id)
      ? known.map((webhook) => (webhook.id === saved.id ? withKnownSecret(saved, [webhook]) : webhook))
      : [...known, saved];

export function useRotateSecret({ id }: Webhook) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.webhooks.rotateSecret({ params: { id } }),
    onSuccess: (rotated) => {
      queryClient.setQueryData<Webhook[]>(webhooksKey, withSaved(rotated));
      snackbar.success('Secret rotated. Give the new one to your receiver.');
    },
  });
}

export function useDeleteWebhook({ id }: Webhook) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.webhooks.deleteWebhook({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
}

export function useSendTest({ id }: Webhook) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.webhooks.sendTest({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey }),
  });
}

export function useSendAgain({ id }: Webhook) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) => api.webhooks.sendAgain({ params: { id, delivery_id: deliveryId } }),
    onSuccess: () => snackbar.info('Sending again.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey }),
  });
}
