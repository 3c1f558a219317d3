import type { ChosenEventType, Webhook } from '@assay/contract';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useReloadOnEvent } from '../../../shared/realtime/use-reload-on-event.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { knownTypes } from '../webhook-events.ts';

const webhooksKey = ['users', 'webhooks'] as const;
const deliveriesKey = ['users', 'webhook-deliveries'] as const;

/** The customer's webhooks, loaded anew whenever something happened to an event. */
export function useWebhooks() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  useReloadOnEvent('refresh_webhooks', webhooksKey);
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
  useReloadOnEvent('refresh_webhooks', deliveriesKey);
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

interface WebhookSettings {
  url: string;
  event_types: ChosenEventType[] | null;
}

/** Types that this version cannot show are not among the settings. They stay, unless a person chooses other types. */
function changesOf(webhook: Webhook, { url, event_types }: WebhookSettings): Partial<WebhookSettings> {
  const shown = webhook.event_types && knownTypes(webhook.event_types);
  const wanted = event_types && knownTypes(event_types);
  return {
    ...(url !== webhook.url && { url }),
    ...(String(wanted) !== String(shown) && { event_types }),
  };
}

/** Adds a webhook, or changes of this one what is not so already. */
export function useSaveWebhook(webhook: Webhook | null) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (settings: WebhookSettings) => {
      if (!webhook) return api.webhooks.createWebhook({ body: settings });
      const body = changesOf(webhook, settings);
      return Object.keys(body).length > 0
        ? api.webhooks.updateWebhook({ params: { id: webhook.id }, body })
        : webhook;
    },
    meta: { hasOwnErrorText: true },
    onSuccess: (saved) => showSaved(queryClient, saved),
    // It may have been made, changed or deleted in another tab.
    onError: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
}

/** An answer on its way may be older than what was saved, so it is dropped and asked for again. */
async function showSaved(queryClient: QueryClient, saved: Webhook): Promise<void> {
  await queryClient.cancelQueries({ queryKey: webhooksKey });
  queryClient.setQueryData<Webhook[]>(webhooksKey, withSaved(saved));
  void queryClient.invalidateQueries({ queryKey: webhooksKey });
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
    onSuccess: async (rotated) => {
      await showSaved(queryClient, rotated);
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
    onSuccess: () => snackbar.info('Test sent. Its answer appears under Deliveries.'),
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
