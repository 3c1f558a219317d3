import { BadRequestError, type Client, InternalServerError, ServiceUnavailableError } from '@assay/client';
import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Remembered } from '../cache/remembered.ts';
import { buildUser, buildWallet } from '../testing/build-customer.ts';
import { createQueryClient } from './query-client.ts';
import { reloadUser, reloadWalletWithUser, userQuery } from './user-query.ts';
import { walletQuery } from './wallet-query.ts';

const user = buildUser();
const wallet = buildWallet();
const forgetful: Remembered = { keep: (_name, value) => value, recall: () => undefined, forget: () => {} };

let rejected: { error: unknown; hasOwnErrorText: boolean }[];
let queryClient: QueryClient;

beforeEach(() => {
  rejected = [];
  queryClient = createQueryClient((call) => rejected.push(call));
});
afterEach(() => queryClient.clear());

/** The server as far as these rules go: who the user is may change, and wallet loads are counted. */
function startScreens() {
  const server = { user, walletLoads: 0 };
  const api = {
    users: { getMe: async () => server.user },
    billing: {
      getWallet: async () => {
        server.walletLoads += 1;
        return wallet;
      },
    },
  } as Partial<Client> as Client;
  const services = { api, remembered: forgetful };
  const loadBoth = async () => {
    // Screens watch both for as long as they stand.
    new QueryObserver(queryClient, userQuery(services)).subscribe(() => {});
    new QueryObserver(queryClient, walletQuery(services)).subscribe(() => {});
    await queryClient.ensureQueryData(userQuery(services));
    await queryClient.ensureQueryData(walletQuery(services));
  };
  return { server, loadBoth };
}

describe('§4 the wallet reloads', () => {
  it('§4 when the user changes', async () => {
    const { server, loadBoth } = startScreens();
    reloadWalletWithUser(queryClient);
    await loadBoth();
    expect(server.walletLoads).toBe(1);

    server.user = { ...user, first_name: 'Grace' };
    await reloadUser(queryClient);

    expect(server.walletLoads).toBe(2);
  });

  it('§4 but not when the user is loaded again and is the same', async () => {
    const { server, loadBoth } = startScreens();
    reloadWalletWithUser(queryClient);
    await loadBoth();

    server.user = structuredClone(user);
    await reloadUser(queryClient);

    expect(server.walletLoads).toBe(1);
  });

  it('§4 after a call that says it changes the wallet, and after no other', async () => {
    const { server, loadBoth } = startScreens();
    await loadBoth();
    const send = (meta?: { changesWallet: boolean }) =>
      new MutationObserver(queryClient, { mutationFn: async () => 'started', meta }).mutate();

    await send();
    expect(server.walletLoads).toBe(1);
    await send({ changesWallet: true });
    expect(server.walletLoads).toBe(2);
  });
});

describe('§8 a rejected call', () => {
  const refused = new BadRequestError({ http_status: 400, message: 'No.' });

  it('§8 reports whether it was loading or sending', async () => {
    await queryClient.fetchQuery({ queryKey: ['a'], queryFn: () => Promise.reject(refused) }).catch(() => {});
    await new MutationObserver(queryClient, { mutationFn: () => Promise.reject(refused) })
      .mutate()
      .catch(() => {});

    expect(rejected).toEqual([
      { error: refused, hasOwnErrorText: false },
      { error: refused, hasOwnErrorText: false },
    ]);
  });

  it('tells that the screen has words of its own', async () => {
    await new MutationObserver(queryClient, {
      mutationFn: () => Promise.reject(refused),
      meta: { hasOwnErrorText: true },
    })
      .mutate()
      .catch(() => {});

    expect(rejected).toEqual([{ error: refused, hasOwnErrorText: true }]);
  });

  it('is not reported where the screen handles it', async () => {
    const meta = { keepsFailures: true };
    await queryClient
      .fetchQuery({
        queryKey: ['a'],
        queryFn: () => Promise.reject(new ServiceUnavailableError()),
        meta,
        retry: 0,
      })
      .catch(() => {});
    await new MutationObserver(queryClient, { mutationFn: () => Promise.reject(refused), meta })
      .mutate()
      .catch(() => {});

    expect(rejected).toEqual([]);
  });

  it.each([
    [refused, 1],
    [new InternalServerError({ http_status: 500 }), 2],
    [new InternalServerError({ http_status: 503 }), 1],
    [new ServiceUnavailableError(), 1],
  ])('%s is attempted %i time(s) before anyone hears of it', async (error, attempts) => {
    queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
    let calls = 0;
    const watching = new QueryObserver(queryClient, {
      queryKey: ['flaky'],
      queryFn: () => {
        calls += 1;
        return Promise.reject(error);
      },
    });
    await new Promise<void>((resolve) => watching.subscribe((result) => result.isError && resolve()));

    expect(calls).toBe(attempts);
    expect(rejected).toHaveLength(1);
  });
});
