import { type ClientOf, createClientOf } from '@assay/client';
import {
  type Activity,
  type Incident,
  type Invoice,
  includesRole,
  type OperatorRole,
  type Transaction,
  type WebhookDelivery,
} from '@assay/contract';
import {
  type CallRequest,
  type DeadLetter,
  type FailingJob,
  type OperatorList,
  operatorRoutes,
  type Standing,
  type Suspect,
  type WithheldCredits,
} from '@assay/contract/operator';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiOptions } from '../../shared/api/create-api.ts';
import { pageQueryOf } from '../../shared/api/page-query.ts';
import type { Paging } from '../../shared/components/data-grid/paging.ts';
import type { RowAction } from '../../shared/components/data-grid/row-action.ts';
import { snackbar } from '../../shared/components/snackbar.tsx';
import type { AppServices } from '../../shared/services/services.ts';
import { useServices } from '../../shared/services/services-context.tsx';

export type OperatorApi = ClientOf<{ operator: typeof operatorRoutes }>['operator'];

const apis = new WeakMap<AppServices, OperatorApi>();

/** The calls of operators. Their code is part of this page only. */
function operatorApiOf(services: AppServices): OperatorApi {
  const known = apis.get(services);
  if (known) return known;
  const { config, session, connection } = services;
  const { operator } = createClientOf({ operator: operatorRoutes }, apiOptions(config, session, connection));
  apis.set(services, operator);
  return operator;
}

const useOperatorApi = () => operatorApiOf(useServices());

const refreshMs = 15_000;
const key = (...rest: readonly unknown[]) => ['operator', ...rest];

/** Always asked anew. What fails says so in its place, because an operator needs the rest of the page most when something fails. */
const live = { staleTime: 0, meta: { keepsFailures: true } } as const;

/** Who is at the console; fails for everyone who is no operator. */
export const operatorQuery = (services: AppServices) =>
  queryOptions({
    queryKey: key('me'),
    queryFn: ({ signal }) => operatorApiOf(services).getOperator({ signal }),
    retry: false,
    meta: { keepsFailures: true },
  });

interface LiveOptions {
  readonly refetchInterval?: number;
  /** Shows the page before while the next one loads. */
  readonly placeholderData?: typeof keepPreviousData;
}

function useLive<Answer>(
  queryKey: readonly unknown[],
  load: (api: OperatorApi, signal: AbortSignal) => Promise<Answer>,
  options: LiveOptions = {},
) {
  const api = useOperatorApi();
  return useQuery({ queryKey, queryFn: ({ signal }) => load(api, signal), ...live, ...options });
}

const paged: LiveOptions = { placeholderData: keepPreviousData };

export const useOverview = () =>
  useLive(key('overview'), (api, signal) => api.getOverview({ signal }), { refetchInterval: refreshMs });

/** The role of who is at the console, which the page has loaded before it shows. */
export const useOperatorRole = (): OperatorRole =>
  useQuery(operatorQuery(useServices())).data?.role ?? 'support';

/** Whether who is at the console may make a call, as the contract says. */
export const useMay = (): ((call: keyof typeof operatorRoutes) => boolean) => {
  const role = useOperatorRole();
  return (call) => includesRole(role, operatorRoutes[call].auth);
};

/** An action of a menu that not everyone has. */
export const onlyIf = (isThere: boolean, action: RowAction): RowAction[] => (isThere ? [action] : []);

export const useSearch = (text: string) =>
  useLive(
    key('search', text),
    (api, signal) => api.search({ query: text === '' ? {} : { text }, signal }),
    paged,
  );

export const useErrors = (source: string | undefined, before: number | undefined) =>
  useLive(
    key('errors', source, before),
    (api, signal) => api.listErrors({ query: { source, before }, signal }),
    paged,
  );

export const useRunningLists = (isStuckOnly: boolean, after: string | undefined) =>
  useLive(
    key('running lists', isStuckOnly, after),
    (api, signal) => api.listRunningLists({ query: { only_stuck: isStuckOnly, after }, signal }),
    { ...paged, refetchInterval: refreshMs },
  );

export const useCustomer = (customerId: string) => {
  const api = useOperatorApi();
  return useQuery({
    queryKey: key('customer', customerId),
    queryFn: ({ signal }) => api.getCustomer({ params: { customer_id: customerId }, signal }),
    staleTime: 0,
  });
};

export const useListsOf = (customerId: string, kind: OperatorList['kind'], paging: Paging) =>
  useLive(
    key('lists of', customerId, kind, paging),
    (api, signal) =>
      api.listCustomerLists({
        params: { customer_id: customerId },
        query: { ...pageQueryOf(paging), kind },
        signal,
      }),
    paged,
  );

/** What the page of a customer shows in pages. */
interface CustomerRows {
  readonly listCustomerTransactions: Transaction;
  readonly listCustomerDeliveries: WebhookDelivery;
  readonly listCustomerPayments: Invoice;
  readonly listCustomerActivity: Activity;
}

export const useRowsOf = <Call extends keyof CustomerRows>(call: Call, customerId: string, paging: Paging) =>
  useLive(
    key(call, customerId, paging),
    (api, signal) => {
      const load = api[call] as unknown as (input: {
        readonly params: { readonly customer_id: string };
        readonly query: ReturnType<typeof pageQueryOf>;
        readonly signal: AbortSignal;
      }) => Promise<{ readonly results: readonly CustomerRows[Call][]; readonly total: number }>;
      return load({ params: { customer_id: customerId }, query: pageQueryOf(paging), signal });
    },
    paged,
  );

export const useWebhooksOf = (customerId: string) =>
  useLive(key('webhooks of', customerId), (api, signal) =>
    api.listCustomerWebhooks({ params: { customer_id: customerId }, signal }),
  );

export const useWeather = (days: number) =>
  useLive(key('weather', days), (api, signal) => api.getWeather({ query: { days }, signal }), {
    ...paged,
    refetchInterval: refreshMs,
  });

export const useQuestions = (days: number) =>
  useLive(key('questions', days), (api, signal) => api.getQuestions({ query: { days }, signal }), paged);

export const useQuestionsOf = (customerId: string, days: number) =>
  useLive(
    key('questions of', customerId, days),
    (api, signal) =>
      api.listCustomerQuestions({ params: { customer_id: customerId }, query: { days }, signal }),
    paged,
  );

export const useActions = (paging: Paging, customerId?: string) =>
  useLive(
    key('actions', paging, customerId),
    (api, signal) => api.listActions({ query: { ...pageQueryOf(paging), customer_id: customerId }, signal }),
    paged,
  );

export const useCoupons = (paging: Paging) =>
  useLive(
    key('coupons', paging),
    (api, signal) => api.listCoupons({ query: pageQueryOf(paging), signal }),
    paged,
  );

/** The short lists, which come whole. */
interface Rows {
  readonly listFailingJobs: FailingJob;
  readonly listDeadLetters: DeadLetter;
  readonly listIncidents: Incident;
  readonly listCallRequests: CallRequest;
  readonly listSuspects: Suspect;
  readonly listWithheldCredits: WithheldCredits;
}

export const useRows = <Call extends keyof Rows>(call: Call) =>
  useLive(key(call), (api, signal) => {
    const load = api[call] as unknown as (input: {
      readonly signal: AbortSignal;
    }) => Promise<{ readonly results: readonly Rows[Call][] }>;
    return load({ signal });
  });

/** Sends an order of an operator, then shows everything anew. The dialog shows why one failed. */
export function useOrder(send: (api: OperatorApi, reason: string) => Promise<unknown>, done: string) {
  const api = useOperatorApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => send(api, reason),
    meta: { keepsFailures: true },
    onSuccess: () => {
      snackbar.success(done);
      return reloadAll(queryClient);
    },
  });
}

const reloadAll = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['operator'] });

export const standingWords: Readonly<Record<Standing, string>> = {
  open: 'Open',
  throttled: 'Throttled',
  held: 'Held for review',
  suspended: 'Suspended',
};
