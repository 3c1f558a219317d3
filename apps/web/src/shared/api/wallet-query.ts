import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AppServices } from '../services/services.ts';

const walletKey = ['billing', 'me'] as const;

export const walletQuery = ({ api, remembered }: Pick<AppServices, 'api' | 'remembered'>) =>
  queryOptions({
    queryKey: walletKey,
    queryFn: async ({ signal }) => remembered.keep('wallet', await api.billing.getWallet({ signal })),
    // The balance of the last visit, until the server answers.
    placeholderData: () => remembered.recall('wallet'),
  });

/** Only the wallet itself: what else lies under `billing` is not reloaded with it. */
export const reloadWallet = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: walletKey, exact: true });
