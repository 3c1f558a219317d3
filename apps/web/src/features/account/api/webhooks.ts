import type { Webhook } from '@assay/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const webhookKey = ['users', 'webhooks'] as const;
const deliveriesKey = ['users', 'webhook-deliveries'] as const;

/** The customer's one webhook; null when they have none. */
export function useWebhook() {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: webhookKey,
      queryFn: async ({ signal }): Promise<Webhook | null> =>
        (await api.webhooks.listWebhooks({ query: { reveal: false }, signal })).results[0] ?? null,
    }),
  );
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

/** Registers an address, or changes it when there is a webhook already. */
export function useSaveWebhook(webhook: Webhook | null) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { url: string }) =>
      webhook
        ? api.webhooks.updateWebhook({ params: { id: webhook.id }, body })
        : api.webhooks.createWebhook({ body }),
    meta: { hasOwnErrorText: true },
    onSuccess: (saved) => queryClient.setQueryData(webhookKey, saved),
    // It may have been made, changed or deleted in another tab.
    onError: () => queryClient.invalidateQueries({ queryKey: webhookKey }),
  });
}

export function useRotateSecret({ id }: Webhook) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.webhooks.rotateSecret({ params: { id } }),
    onSuccess: (rotated) => {
      queryClient.setQueryData(webhookKey, rotated);
      snackbar.success('Secret rotated. Give the new one to your receiver.');
    },
  });
}

export function useDeleteWebhook({ id }: Webhook) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.webhooks.deleteWebhook({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhookKey }),
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
