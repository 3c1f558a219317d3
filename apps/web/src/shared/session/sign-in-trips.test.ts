import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import type { Identity } from './identity.ts';
import { createIdentity } from './oidc-identity.ts';
import type { Session } from './session.ts';
import { createSessionManager, type SessionManager } from './session-manager.ts';
import { createSessionStore } from './session-store.ts';
import { createSignInTrips, type SignInTrips } from './sign-in-trips.ts';
import { startLoopbackIssuer } from './testing/loopback-issuer.ts';

const signedIn: Session = {
  user_access_token: 'access-0',
  refresh_token: 'refresh-0',
  id_token: 'id-0',
  obtained_at: 0,
  expires_at: 28_800,
  subject: 'ada',
};

interface Browser {
  signInTrips: SignInTrips;
  session: SessionManager;
  /** The address that the browser was sent to. */
  departure: Promise<URL>;
  forgotten: string[];
}

let issuer: Awaited<ReturnType<typeof startLoopbackIssuer>>;
let storage: Storage;
/** The tokens whose sessions the API was told to end. */
let endedAtApi: (string | undefined)[];
let isApiDown: boolean;

function openBrowser(overrides: Partial<Identity> = {}): Browser {
  const identity = {
    ...createIdentity({
      config: { issuer: issuer.issuer, client_id: 'web', audience: 'https://assay.test/api' },
      origin: 'https://assay.test',
      storage,
      nowSeconds: () => 0,
    }),
    ...overrides,
  };
  const session = createSessionManager({
    store: createSessionStore(storage),
    identity,
    shareLock: (task) => task(),
    nowSeconds: () => 0,
  });
  const forgotten: string[] = [];
  const { promise: departure, resolve } = Promise.withResolvers<URL>();
  const signInTrips = createSignInTrips({
    identity,
    session,
    leaveFor: (url) => resolve(new URL(url, 'https://assay.test')),
    forgetPerson: () => forgotten.push('person'),
    endAtApi: async () => {
      endedAtApi.push(session.current()?.user_access_token);
      if (isApiDown) throw new Error('unreachable');
    },
  });
  return { signInTrips, session, departure, forgotten };
}

beforeEach(async () => {
  issuer = await startLoopbackIssuer();
  storage = createMemoryStorage();
  endedAtApi = [];
  isApiDown = false;
  return () => issuer.stop();
});

describe('signing in', () => {
  it('leaves for the provider, once however many pages ask', async () => {
    const { signInTrips, departure } = openBrowser();
    void signInTrips.signIn('/billing');
    void signInTrips.signIn('/account');

    expect((await departure).pathname).toBe('/auth');
    expect(storage.length).toBe(1);
  });

  it('a provider that cannot be reached is an error, and can be tried again', async () => {
    const { signInTrips, departure } = openBrowser();
    const { issuer: address } = issuer;
    await issuer.stop();
    await expect(signInTrips.signIn('/billing')).rejects.toThrow();

    issuer = await startLoopbackIssuer(Number(new URL(address).port));
    void signInTrips.signIn('/billing');

    expect((await departure).pathname).toBe('/auth');
  });
});

describe('signing in again', () => {
  it('asks the provider for a new sign-in of this very person', async () => {
    const { signInTrips, session, departure } = openBrowser();
    const claims = btoa(JSON.stringify({ email: 'ada@exists.test' }));
    session.begin({ ...signedIn, id_token: `head.${claims}.signature` });

    void signInTrips.signInAgain('/account', 'confirm');

    const { searchParams } = await departure;
    expect(searchParams.get('max_age')).toBe('0');
    expect(searchParams.get('login_hint')).toBe('ada@exists.test');
    expect(searchParams.get('reason')).toBe('confirm');
  });

  it('is a plain sign-in without a session', async () => {
    const { signInTrips, departure } = openBrowser();

    void signInTrips.signInAgain('/account', 'confirm');

    expect((await departure).searchParams.has('max_age')).toBe(false);
  });
});

describe('§2 Sidebar: sign-out', () => {
  it('§2 clears the data of the person and logs out at the provider', async () => {
    const { signInTrips, session, departure, forgotten } = openBrowser();
    session.begin(signedIn);

    void signInTrips.signOut();

    const url = await departure;
    expect(url.pathname).toBe('/session/end');
    expect(url.searchParams.get('id_token_hint')).toBe('id-0');
    expect(session.current()).toBeUndefined();
    expect(forgotten).toEqual(['person']);
  });

  it('tells the API first, while the token is still there, and leaves also when that fails', async () => {
    const { signInTrips, session, departure } = openBrowser();
    session.begin(signedIn);
    isApiDown = true;

    void signInTrips.signOut();

    expect((await departure).pathname).toBe('/session/end');
    expect(endedAtApi).toEqual(['access-0']);
  });

  it('is leaving before listeners learn that the session ended', async () => {
    const { signInTrips, session, departure } = openBrowser();
    session.begin(signedIn);
    const leavingWhenTold: boolean[] = [];
    session.subscribe(() => leavingWhenTold.push(signInTrips.isLeaving()));
    expect(signInTrips.isLeaving()).toBe(false);

    void signInTrips.signOut();
    await departure;

    expect(leavingWhenTold).toEqual([true]);
  });

  it('§4 lands on the goodbye page when asked to', async () => {
    const { signInTrips, session, departure } = openBrowser();
    session.begin(signedIn);

    void signInTrips.signOut('/goodbye');

    expect((await departure).searchParams.get('post_logout_redirect_uri')).toBe('https://assay.test/goodbye');
  });

  it('signs out here even when the provider cannot be asked', async () => {
    const { signInTrips, session, departure } = openBrowser();
    session.begin(signedIn);
    await issuer.stop();

    void signInTrips.signOut('/goodbye');

    expect((await departure).pathname).toBe('/goodbye');
    expect(session.current()).toBeUndefined();
  });

  it('a tab that finds the session ended by another one stays where it is', async () => {
    const [first, second] = [openBrowser(), openBrowser()];
    first.session.begin(signedIn);
    void first.signInTrips.signOut();
    await first.departure;

    await second.signInTrips.signOut();

    expect(second.signInTrips.isLeaving()).toBe(false);
  });
});

describe('/redirect', () => {
  it.each([
    ['?to=/billing', '/billing'],
    ['?to=%2Fbilling%3Fpage%3D2', '/billing?page=2'],
    ['', '/'],
    ['?to=https://evil.test', '/'],
    ['?to=//evil.test', '/'],
    ['?to=/\\evil.test', '/'],
    ['?to=javascript:alert(1)', '/'],
  ])('%s goes on to %s', async (query, path) => {
    await expect(openBrowser().signInTrips.comeBack(`https://assay.test/redirect${query}`)).resolves.toBe(
      path,
    );
  });

  it.each([
    ['the same person, whose session has ended', 'ada', []],
    ['another person', 'bob', ['person']],
    ['a person after a sign-out in another tab', undefined, ['person']],
  ])('forgets the person before when it brings back %s', async (_who, before, expected) => {
    const { signInTrips, session, forgotten } = openBrowser({
      completeSignIn: async () => ({ session: signedIn, returnTo: '/lists' }),
    });
    if (before) session.begin({ ...signedIn, subject: before, forced_logout: true });

    await expect(signInTrips.comeBack('https://assay.test/redirect?code=c')).resolves.toBe('/lists');
    expect(forgotten).toEqual(expected);
  });

  it('a sign-in that the provider refused is an error', async () => {
    await expect(
      openBrowser().signInTrips.comeBack('https://assay.test/redirect?error=access_denied&state=s'),
    ).rejects.toThrow();
  });
});
