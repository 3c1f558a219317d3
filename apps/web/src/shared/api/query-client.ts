import { ApiError } from '@assay/client';
import { MutationCache, QueryCache, type QueryClient } from '@tanstack/react-query';
import { FreshQueryClient } from './fresh-query-client.ts';
import { reloadWallet } from './wallet-query.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: MutationMeta;
  }
}

type CallMeta = {
  /** The screen says itself what went wrong: no snackbar besides. */
  readonly hasOwnErrorText?: boolean;
  /** The screen deals with every failure itself: neither snackbar nor message page. */
  readonly keepsFailures?: boolean;
};

type MutationMeta = CallMeta & {
  /** The call costs or brings credits: the wallet is loaded anew once it succeeded. */
  readonly changesWallet?: boolean;
  /** The call starts work whose result arrives as an event. */
  readonly startsWork?: boolean;
};

export interface RejectedCall {
  readonly error: unknown;
  readonly hasOwnErrorText: boolean;
}

/** One rule for all calls: which are retried, how long answers stay fresh, and where failures are reported. */
export function createQueryClient(onRejected: (call: RejectedCall) => void): QueryClient {
  const tell = (error: unknown, meta: CallMeta | undefined) => {
    if (meta?.keepsFailures) return;
    onRejected({ error, hasOwnErrorText: meta?.hasOwnErrorText ?? false });
  };

  const queryClient: QueryClient = new FreshQueryClient({
    queryCache: new QueryCache({ onError: (error, query) => tell(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => tell(error, mutation.meta),
      onSuccess: (_data, _variables, _result, mutation) => {
        if (mutation.meta?.changesWallet) void reloadWallet(queryClient);
      },
    }),
    defaultOptions: {
      queries: {
        // The client waits for the connection itself: it knows which calls may be repeated, and under which key.
        networkMode: 'always',
        staleTime: 30_000,
        retry: (failureCount, error) => failureCount < 1 && isPassing(error),
        retryDelay: 300,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return queryClient;
}

/** A failure that a second attempt may well not meet. What else passes, the client has waited for already. */
const isPassing = (error: unknown): boolean => error instanceof ApiError && error.http_status === 500;
