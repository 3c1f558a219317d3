import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import { createIdentity } from './oidc-identity.ts';
import type { Session } from './session.ts';
import { createSessionManager, type SessionManager } from './session-manager.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { startLoopbackIssuer } from './testing/loopback-issuer.ts';

const hour = 3_600;
const issuedAt = 1_800_000_000;

let issuer: Awaited<ReturnType<typeof startLoopbackIssuer>>;
let storage: Storage;
let nowSeconds: number;
let lockName: string;
let store: SessionStore;
let manager: SessionManager;

/** A tab has code of its own and shares storage and locks with the others. */
function openTab(): { store: SessionStore; manager: SessionManager } {
  const identity = createIdentity({
    config: { issuer: issuer.issuer, client_id: 'web', audience: 'https://assay.test/api' },
    origin: 'https://assay.test',
    storage,
    nowSeconds: () => nowSeconds,
  });
  const tabStore = createSessionStore(storage);
  return {
    store: tabStore,
    manager: createSessionManager({
      store: tabStore,
      identity,
      shareLock: (task) => navigator.locks.request(lockName, task),
      nowSeconds: () => nowSeconds,
    }),
  };
}

const signedIn: Session = {
  user_access_token: 'access-0',
  refresh_token: 'refresh-0',
  obtained_at: issuedAt,
  expires_at: issuedAt + 8 * hour,
  subject: 'ada',
};

beforeEach(async ({ task }) => {
  issuer = await startLoopbackIssuer();
  storage = createMemoryStorage();
  nowSeconds = issuedAt;
  lockName = `session of ${task.id}`;
  ({ store, manager } = openTab());
  store.write(signedIn);
});
afterEach(() => issuer.stop());

describe('§3 Session', () => {
  it('§3 holds user_access_token and survives a reload of the page', () => {
    expect(openTab().manager.current()).toMatchObject({ user_access_token: 'access-0', subject: 'ada' });
  });

  it('a text that is no session counts as signed out', async () => {
    storage.setItem('assay.session', '{"user_access_token":7}');

    expect(manager.current()).toBeUndefined();
    await expect(manager.getToken()).resolves.toBeUndefined();
  });
});

describe('§4 Session: refreshing', () => {
  it('§4 a token with more than an hour left is used as it is', async () => {
    nowSeconds = issuedAt + 7 * hour - 1;

    await expect(manager.getToken()).resolves.toBe('access-0');
    expect(issuer.exchanges).toEqual([]);
  });

  it('§4 within 1 hour of expiry it is renewed in the background', async () => {
    nowSeconds = issuedAt + 7 * hour;
    const renewed = new Promise<void>((resolve) => manager.subscribe(resolve));

    await expect(manager.getToken()).resolves.toBe('access-0');
    await renewed;

    expect(issuer.exchanges).toMatchObject([
      { grant_type: 'refresh_token', refresh_token: 'refresh-0', resource: 'https://assay.test/api' },
    ]);
    expect(manager.current()).toMatchObject({
      user_access_token: 'access-1',
      refresh_token: 'refresh-1',
      obtained_at: nowSeconds,
      expires_at: nowSeconds + 8 * hour,
      subject: 'ada',
    });
  });

  it('an expired token is renewed first', async () => {
    nowSeconds = issuedAt + 8 * hour;

    await expect(manager.getToken()).resolves.toBe('access-1');
  });

  it('many calls at once make one exchange', async () => {
    nowSeconds = issuedAt + 8 * hour;

    const tokens = await Promise.all(Array.from({ length: 20 }, () => manager.getToken()));

    expect(new Set(tokens)).toEqual(new Set(['access-1']));
    expect(issuer.exchanges).toHaveLength(1);
  });

  it('tabs share one refresh', async () => {
    nowSeconds = issuedAt + 8 * hour;
    const tabs = [manager, openTab().manager, openTab().manager];

    const tokens = await Promise.all(tabs.map((tab) => tab.getToken()));

    expect(tokens).toEqual(['access-1', 'access-1', 'access-1']);
    expect(issuer.exchanges).toHaveLength(1);
  });

  it('tells when the next one is due', () => {
    expect(manager.msUntilRefresh()).toBe(7 * hour * 1000);
    store.clear();
    expect(manager.msUntilRefresh()).toBeUndefined();
  });
});

describe('a refused token', () => {
  it('is renewed once, for whichever tab asks first', async () => {
    const tokens = await Promise.all([
      manager.renewToken('access-0'),
      openTab().manager.renewToken('access-0'),
    ]);

    expect(tokens).toEqual(['access-1', 'access-1']);
    expect(issuer.exchanges).toHaveLength(1);
  });

  it('§4 a provider that refuses raises the forced-logout flag, in every tab', async () => {
    issuer.getInto('revoked');

    await expect(manager.renewToken('access-0')).resolves.toBeUndefined();

    expect(openTab().manager.current()).toMatchObject({ forced_logout: true });
    await expect(manager.getToken()).resolves.toBeUndefined();
  });

  it('a call whose expired token is not renewed is not sent', async () => {
    issuer.getInto('revoked');
    nowSeconds = issuedAt + 8 * hour;

    await expect(manager.getToken()).rejects.toMatchObject({ http_status: 401, code: 'session_ended' });
  });

  it('without a refresh token the session cannot go on either', async () => {
    const { refresh_token: _, ...withoutRefresh } = signedIn;
    store.write(withoutRefresh);

    await expect(manager.renewToken('access-0')).resolves.toBeUndefined();

    expect(manager.current()).toMatchObject({ forced_logout: true });
  });

  it('a provider in trouble ends nothing: the call fails and the session stays', async () => {
    issuer.getInto('down');

    await expect(manager.renewToken('access-0')).rejects.toMatchObject({ name: 'ServiceUnavailableError' });

    expect(manager.current()).toEqual(signedIn);
  });
});

describe('ending the session', () => {
  it('a sign-out during a renewal is not undone by it', async () => {
    const asked = issuer.nextExchange();
    const renewing = manager.renewToken('access-0');
    await asked;

    openTab().manager.end();

    await expect(renewing).resolves.toBeUndefined();
    expect(manager.current()).toBeUndefined();
  });

  it('another tab learns of it through the storage event', () => {
    const other = openTab();
    let changes = 0;
    other.manager.subscribe(() => {
      changes += 1;
    });

    manager.end();
    other.store.noticeStorageEvent('assay.cache.range');
    expect(changes).toBe(0);
    other.store.noticeStorageEvent('assay.session');
    expect(changes).toBe(1);
  });
});

describe('another person who signs in, in another tab', () => {
  const bob: Session = { ...signedIn, user_access_token: 'access-bob', subject: 'bob' };

  it('takes over the browser, not this tab: it makes no call as them and does not end their session', async () => {
    expect(manager.current()?.subject).toBe('ada');
    openTab().manager.begin(bob);

    expect(manager.current()).toBeUndefined();
    expect(manager.takenOverBy()?.subject).toBe('bob');
    await expect(manager.getToken()).rejects.toMatchObject({ http_status: 401, code: 'session_ended' });
    await expect(manager.renewToken('access-0')).resolves.toBeUndefined();
    manager.forceLogout();
    expect(openTab().manager.current()).toEqual(bob);
  });

  it('is the person of a tab that is opened or loaded anew', () => {
    manager.begin(bob);

    expect(openTab().manager.takenOverBy()).toBeUndefined();
    expect(openTab().manager.current()?.subject).toBe('bob');
    expect(manager.current()?.subject).toBe('bob');
  });

  it('who gives way to the first person again gives the tab back', () => {
    manager.current();
    const other = openTab().manager;
    other.begin(bob);
    other.begin(signedIn);

    expect(manager.takenOverBy()).toBeUndefined();
    expect(manager.current()?.subject).toBe('ada');
  });
});
