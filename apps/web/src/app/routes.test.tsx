import { createClient } from '@assay/client';
import type { AppConfig } from '@assay/contract';
import { createMemoryRouter, type DataRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createQueryClient } from '../shared/api/query-client.ts';
import { createLocalCache } from '../shared/cache/local-cache.ts';
import { createRemembered } from '../shared/cache/remembered.ts';
import { createConnection } from '../shared/connection/connection.ts';
import { createDrafts } from '../shared/forms/drafts.ts';
import { createEventBus } from '../shared/realtime/event-bus.ts';
import type { AppServices } from '../shared/services/services.ts';
import type { Session } from '../shared/session/session.ts';
import { createSessionManager } from '../shared/session/session-manager.ts';
import { createSessionStore } from '../shared/session/session-store.ts';
import type { SignInTrips } from '../shared/session/sign-in-trips.ts';
import { buildUser } from '../shared/testing/build-customer.ts';
import { createMemoryStorage } from '../shared/testing/memory-storage.ts';
import { createGuards } from './guards.ts';
import { createRoutes } from './routes.tsx';

const signedIn: Session = { user_access_token: 'token', obtained_at: 0, expires_at: 28_800, subject: 'ada' };

interface Visit {
  readonly path: string;
  readonly stage?: AppConfig['stage'];
  readonly isGuessingEnabled?: boolean;
  readonly session?: Session | null;
}

/** Ways out of the app that were taken, as `trip path`. */
let departures: string[];
let firstDeparture: PromiseWithResolvers<void>;
let router: DataRouter | undefined;
beforeEach(() => {
  departures = [];
  firstDeparture = Promise.withResolvers();
});
afterEach(() => router?.dispose());

function servicesFor({
  stage = 'production',
  isGuessingEnabled = false,
  session = signedIn,
}: Visit): AppServices {
  const storage = createMemoryStorage();
  const store = createSessionStore(storage);
  if (session) store.write(session);
  const manager = createSessionManager({
    store,
    identity: { refresh: async (current) => current },
    shareLock: (task) => task(),
    nowSeconds: () => 0,
  });
  const user = buildUser({
    feature_flags: { guessing_enabled: isGuessingEnabled, can_change_password: true },
  });
  const leave =
    (trip: string) =>
    (path = '/') => {
      departures.push(`${trip} ${path}`);
      firstDeparture.resolve();
      return new Promise<never>(() => {});
    };
  const signInTrips: SignInTrips = {
    signIn: leave('sign-in'),
    signInAgain: leave('sign-in-again'),
    signOut: leave('sign-out'),
    isLeaving: () => departures.length > 0,
    comeBack: async (url) => new URL(url).searchParams.get('to') ?? '/',
  };
  const cache = createLocalCache(storage, () => new Date(0));
  return {
    config: {
      stage,
      issuer: 'https://id.test',
      client_id: 'web',
      audience: 'https://assay.test/api',
      client_key: 'web',
      docs_url: '/docs',
      analytics_url: null,
    },
    api: createClient({
      baseUrl: 'https://assay.test/api',
      getToken: manager.getToken,
      fetch: async () => Response.json(user),
    }),
    session: manager,
    signInTrips,
    cache,
    remembered: createRemembered({ cache, subject: () => session?.subject, build: 'test' }),
    events: createEventBus(),
    drafts: createDrafts(storage),
    connection: createConnection({ isOnline: () => true, subscribe: () => () => {} }),
    countPageView: () => {},
  };
}

/** Follows redirects and guards until a page is shown, or the visitor has left for another site. */
async function visit(given: Visit) {
  const created = createMemoryRouter(
    createRoutes(
      servicesFor(given),
      createQueryClient(() => {}),
      () => false,
    ),
    { initialEntries: [given.path] },
  );
  router = created;
  const stands = new Promise<void>((resolve) => {
    const look = () => {
      if (created.state.initialized && created.state.navigation.state === 'idle') resolve();
    };
    created.subscribe(look);
    look();
  });
  await Promise.race([stands, firstDeparture.promise]);
  const { location, errors, matches } = created.state;
  return {
    path: `${location.pathname}${location.search}`,
    exists: errors === null && matches.at(-1)?.route.path !== '*',
    status: (Object.values(errors ?? {})[0] as { status?: number } | undefined)?.status,
  };
}

describe('§2 Routes: redirects', () => {
  it.each([
    ['/', '/email-verification/single'],
    ['/email-verification', '/email-verification/single'],
    ['/redirect?to=/account', '/account'],
    ['/redirect', '/email-verification/single'],
  ])('§2 %s goes to %s', async (from, to) => {
    expect(await visit({ path: from })).toMatchObject({ path: to, exists: true });
  });

  it('§2 the guessing base goes to its home', async () => {
    expect(await visit({ path: '/email-guessing', isGuessingEnabled: true })).toMatchObject({
      path: '/email-guessing/single',
      exists: true,
    });
  });
});

describe('§2 Routes: pages', () => {
  it.each([
    '/email-verification/single',
    '/email-verification/bulk',
    '/email-verification/bulk/4711',
    '/billing',
    '/account',
    '/not-found?source_url=%2Fbilling',
    '/forbidden',
    '/internal-error',
    '/goodbye',
  ])('§2 %s stands', async (path) => {
    expect(await visit({ path })).toMatchObject({ path, exists: true });
  });

  it.each(['/email-verification/other', '/nowhere', '/billing/nowhere'])(
    '§2 %s does not exist',
    async (path) => {
      expect(await visit({ path })).toMatchObject({ path, exists: false });
    },
  );
});

describe('§1 areas that are not for everyone', () => {
  it.each(['/email-guessing/single', '/email-guessing/bulk', '/email-guessing/4711'])(
    '§6 %s exists only with guessing_enabled',
    async (path) => {
      expect(await visit({ path, isGuessingEnabled: true })).toMatchObject({ path, exists: true });
      expect(await visit({ path, isGuessingEnabled: false })).toMatchObject({ exists: false, status: 404 });
    },
  );

  it.each(['/warm-up', '/oauth/callback?code=c&state=s'])('§6 %s exists only in staging', async (path) => {
    expect(await visit({ path, stage: 'staging' })).toMatchObject({ path, exists: true });
    expect(await visit({ path, stage: 'production' })).toMatchObject({ exists: false, status: 404 });
  });
});

describe('a signed-out visitor', () => {
  it.each(['/email-verification/bulk?page=2', '/billing', '/account', '/email-guessing/single'])(
    'of %s signs in and comes back to it',
    async (path) => {
      await visit({ path, session: null });

      expect(new Set(departures)).toEqual(new Set([`sign-in ${path}`]));
    },
  );

  it.each(['/not-found', '/forbidden', '/internal-error', '/goodbye', '/nowhere'])(
    '§2 sees %s, which is outside the private layout',
    async (path) => {
      await visit({ path, session: null });

      expect(departures).toEqual([]);
    },
  );

  it('is not looked up before it is known who they are', async () => {
    const services = servicesFor({ path: '/email-guessing', session: null });
    const signInTrips = {
      ...services.signInTrips,
      signIn: () => Promise.reject(new Error('left for the provider')),
    };
    const guards = createGuards(
      { ...services, signInTrips },
      createQueryClient(() => {}),
    );
    const args = {
      request: new Request('https://assay.test/email-guessing'),
    } as Parameters<typeof guards.guessingEnabled>[0];

    await expect(guards.guessingEnabled(args)).rejects.toThrow('left for the provider');
  });

  it('§4 with the forced-logout flag is logged out: signs in again and comes back to the page', async () => {
    await visit({ path: '/billing', session: { ...signedIn, forced_logout: true } });

    expect(departures).toEqual(['sign-in-again /billing']);
  });
});
