import type { User } from '@assay/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AppServices } from '../services/services.ts';
import { reloadWallet } from './wallet-query.ts';

const userKey = ['users', 'me'] as const;

export const userQuery = ({ api, remembered }: Pick<AppServices, 'api' | 'remembered'>) =>
  queryOptions({
    queryKey: userKey,
    queryFn: async ({ signal }) => remembered.keep('user', await api.users.getMe({ signal })),
    // The person of the last visit, until the server answers.
    placeholderData: () => remembered.recall('user'),
  });

export const reloadUser = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: userKey });

/** The wallet is loaded anew whenever the user changes. Gives the way to stop. */
export function reloadWalletWithUser(queryClient: QueryClient): () => void {
  let known = queryClient.getQueryData<User>(userKey);
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== userKey[0] || query.queryKey[1] !== userKey[1]) return;
    const user = query.state.data as User | undefined;
    // An answer that says the same is the same object.
    if (user === undefined || user === known) return;
    const isFirst = known === undefined;
    known = user;
    if (!isFirst) void reloadWallet(queryClient);
  });
}
