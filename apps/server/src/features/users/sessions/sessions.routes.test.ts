import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';

let api: TestApi;
/** Another process on the same database. */
let second: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  second = await startTestApi({ beside: api });
});
afterAll(async () => {
  await second.close();
  await api.close();
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const authTime = (moment: Date) => Math.floor(moment.getTime() / 1_000);

/** A person with sessions whose tokens can be renewed: another `iat`, the same `sid` and `auth_time`. */
function newPerson() {
  const sub = randomUUID();
  const sessionFrom = (signedInAt: Date, sid: string = randomUUID()) => ({
    tokenAt: (issuedAt: Date) =>
      api.issuer.tokenFor(
        { sub, email: `${sub}@example.com`, email_verified: true, sid, auth_time: authTime(signedInAt) },
        { issuedAt },
      ),
  });
  return { sub, sessionFrom };
}

const outcomeOf = async (token: string, on = api) => {
  const answer = await on.call('GET', '/users/me', { token });
  return answer.statusCode === 200 ? 'accepted' : `${answer.statusCode} ${answer.json().errors[0].code}`;
};
const endOthers = (token: string) => api.call('DELETE', '/users/me/sessions', { token });

describe('DELETE /users/me/sessions', () => {
  it('204, and every process refuses older tokens of all sessions; the caller’s session can renew its token', async () => {
    const person = newPerson();
    const own = person.sessionFrom(secondsAgo(60));
    const other = person.sessionFrom(secondsAgo(30));
    const [ownToken, otherToken] = [await own.tokenAt(secondsAgo(20)), await other.tokenAt(new Date())];
    for (const on of [api, second]) expect(await outcomeOf(otherToken, on)).toBe('accepted');

    expect((await endOthers(ownToken)).statusCode).toBe(204);

    for (const on of [api, second]) {
      expect(await outcomeOf(otherToken, on)).toBe('401 session_ended');
      expect(await outcomeOf(ownToken, on)).toBe('401 session_ended');
      expect(await outcomeOf(await own.tokenAt(new Date()), on)).toBe('accepted');
    }
  });

  it('refuses tokens of a refresh token that survived at the provider; a new sign-in works', async () => {
    const person = newPerson();
    const own = person.sessionFrom(secondsAgo(60));
    const other = person.sessionFrom(secondsAgo(30));
    await endOthers(await own.tokenAt(secondsAgo(20)));

    expect(await outcomeOf(await other.tokenAt(new Date()))).toBe('401 session_ended');
    const again = person.sessionFrom(new Date());
    expect(await outcomeOf(await again.tokenAt(new Date()))).toBe('accepted');
  });

  it('does not affect other customers', async () => {
    const [ada, bob] = [newPerson(), newPerson()];
    const bobs = await bob.sessionFrom(secondsAgo(60)).tokenAt(secondsAgo(20));
    await outcomeOf(bobs);
    await endOthers(await ada.sessionFrom(secondsAgo(60)).tokenAt(secondsAgo(20)));

    expect(await outcomeOf(bobs)).toBe('accepted');
  });

  it('401 when signed out', async () => {
    expect((await api.call('DELETE', '/users/me/sessions')).statusCode).toBe(401);
  });
});

describe('DELETE /users/me/sessions/current', () => {
  it('204, and every process refuses the tokens of this session, renewed ones too', async () => {
    const person = newPerson();
    const [own, other] = [person.sessionFrom(secondsAgo(60)), person.sessionFrom(secondsAgo(60))];
    const [ownToken, otherToken] = [await own.tokenAt(secondsAgo(20)), await other.tokenAt(secondsAgo(20))];

    const answer = await api.call('DELETE', '/users/me/sessions/current', { token: ownToken });

    expect(answer.statusCode).toBe(204);
    for (const on of [api, second]) {
      expect(await outcomeOf(ownToken, on)).toBe('401 session_ended');
      expect(await outcomeOf(await own.tokenAt(new Date()), on)).toBe('401 session_ended');
      expect(await outcomeOf(otherToken, on)).toBe('accepted');
    }
  });

  it('204, and a new sign-in works although the provider kept the session and its id', async () => {
    const person = newPerson();
    const sid = randomUUID();
    const before = await person.sessionFrom(secondsAgo(60), sid).tokenAt(secondsAgo(20));
    await api.call('DELETE', '/users/me/sessions/current', { token: before });

    const later = new Date(Date.now() + 1_000);
    const again = await person.sessionFrom(later, sid).tokenAt(later);
    expect(await outcomeOf(again)).toBe('accepted');
    expect(await outcomeOf(before)).toBe('401 session_ended');
  });

  it('204 with a token without sid: only that token ends', async () => {
    const sub = randomUUID();
    const [token, another] = await Promise.all(
      ['en', 'es'].map((locale) =>
        api.tokenFor({ sub, sid: undefined, locale, email: `${sub}@example.com` }),
      ),
    );

    await api.call('DELETE', '/users/me/sessions/current', { token: token ?? '' });

    expect(await outcomeOf(token ?? '')).toBe('401 session_ended');
    expect(await outcomeOf(another ?? '')).toBe('accepted');
  });

  it('401 when signed out', async () => {
    expect((await api.call('DELETE', '/users/me/sessions/current')).statusCode).toBe(401);
  });
});

describe('a password that was changed on the provider’s own pages', () => {
  function newPersonAtProvider() {
    const sub = randomUUID();
    return (sid: string, signedInAt: Date, issuedAt: Date, changedAt?: Date) =>
      api.issuer.tokenFor(
        {
          ...{ sub, email: `${sub}@example.com`, sid, auth_time: authTime(signedInAt) },
          ...(changedAt && { sessions_valid_from: authTime(changedAt) }),
        },
        { issuedAt },
      );
  }

  it('ends older sessions here with the first token that says so, and accepts the new sign-in', async () => {
    const tokenOf = newPersonAtProvider();
    const stolen = await tokenOf('stolen', secondsAgo(60), secondsAgo(20));
    expect(await outcomeOf(stolen)).toBe('accepted');

    const now = new Date();
    const own = await tokenOf('own', now, now, now);
    expect(await outcomeOf(own)).toBe('accepted');

    for (const on of [api, second]) {
      expect(await outcomeOf(stolen, on)).toBe('401 session_ended');
      expect(await outcomeOf(await tokenOf('stolen', secondsAgo(60), new Date()), on)).toBe(
        '401 session_ended',
      );
      expect(await outcomeOf(own, on)).toBe('accepted');
    }
  });

  it('ends an older session that survived at the provider, even if its token is the first to say so', async () => {
    const tokenOf = newPersonAtProvider();
    expect(await outcomeOf(await tokenOf('stolen', secondsAgo(60), secondsAgo(20)))).toBe('accepted');

    const now = new Date();
    const renewed = await tokenOf('stolen', secondsAgo(60), now, secondsAgo(5));

    expect(await outcomeOf(renewed)).toBe('401 session_ended');
    expect(await outcomeOf(await tokenOf('own', now, now, secondsAgo(5)))).toBe('accepted');
  });
});

describe('authentication of a call', () => {
  it('takes one statement, which also reads the rules for sessions', async () => {
    const token = await newPerson().sessionFrom(secondsAgo(60)).tokenAt(secondsAgo(20));
    await outcomeOf(token);
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    api.database.pool.on('acquire', count);

    await outcomeOf(token);
    api.database.pool.off('acquire', count);

    // One for authentication, one for the answer.
    expect(statements).toBe(2);
  });
});

describe('a provider that does not answer', () => {
  let broken: Server;
  let besideBroken: TestApi;
  beforeAll(async () => {
    broken = createServer((_request, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const { port } = broken.address() as AddressInfo;
    besideBroken = await startTestApi({
      beside: api,
      env: {
        OIDC_ADMIN_KIND: 'keycloak',
        OIDC_ADMIN_URL: `http://127.0.0.1:${port}/realms/assay`,
        OIDC_ADMIN_CLIENT_ID: 'assay-admin',
        OIDC_ADMIN_CLIENT_SECRET: 'secret',
      },
    });
  });
  afterAll(async () => {
    await besideBroken.close();
    await new Promise((resolve) => broken.close(resolve));
  });

  it('503 sessions_not_ended, and sessions still end here', async () => {
    const person = newPerson();
    const own = await person.sessionFrom(secondsAgo(60)).tokenAt(secondsAgo(20));
    const other = person.sessionFrom(secondsAgo(60));
    const otherToken = await other.tokenAt(secondsAgo(20));

    const answer = await besideBroken.call('DELETE', '/users/me/sessions', { token: own });

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([503, 'sessions_not_ended']);
    expect(await outcomeOf(otherToken)).toBe('401 session_ended');
    expect(await outcomeOf(await other.tokenAt(new Date()))).toBe('401 session_ended');
  });
});

/** A provider that knows sessions and credentials by subject, and answers in Keycloak's dialect. */
describe('sessions and second factors at the provider', () => {
  interface AtProvider {
    id: string;
    start: number;
    lastAccess: number;
    ipAddress?: string;
    userAgent?: string;
  }
  const sessions = new Map<string, AtProvider[]>();
  const credentials = new Map<string, { id: string; type: string }[]>();
  let provider: Server;
  let managed: TestApi;
  beforeAll(async () => {
    provider = createServer((request, response) => {
      const [, , , , kind = '', id = '', part = ''] = request.url?.split('/') ?? [];
      const answer = (status: number, body?: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url?.endsWith('/token')) return answer(200, { access_token: 'admin' });
      if (kind === 'users' && part === 'sessions') return answer(200, sessions.get(id) ?? []);
      if (kind === 'users' && part === 'credentials') return answer(200, credentials.get(id) ?? []);
      if (kind !== 'sessions' || request.method !== 'DELETE') return answer(500);
      for (const [subject, held] of sessions) {
        const left = held.filter((session) => session.id !== id);
        sessions.set(subject, left);
      }
      return answer(204);
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as AddressInfo;
    managed = await startTestApi({
      beside: api,
      env: {
        OIDC_ADMIN_KIND: 'keycloak',
        OIDC_ADMIN_URL: `http://127.0.0.1:${port}/realms/assay`,
        OIDC_ADMIN_CLIENT_ID: 'assay-admin',
        OIDC_ADMIN_CLIENT_SECRET: 'secret',
      },
    });
  });
  afterAll(async () => {
    await managed.close();
    await new Promise((resolve) => provider.close(resolve));
  });

  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  /** Signed in twice; `here` is the caller. */
  async function personWithTwoSessions() {
    const { sub, sessionFrom } = newPerson();
    const [hereId, thereId] = [randomUUID(), randomUUID()];
    sessions.set(sub, [
      { id: hereId, start: 1_000, lastAccess: 2_000, ipAddress: '203.0.113.5', userAgent: firefox },
      { id: thereId, start: 3_000, lastAccess: 9_000 },
    ]);
    const [here, there] = [sessionFrom(secondsAgo(60), hereId), sessionFrom(secondsAgo(60), thereId)];
    const [hereToken, thereToken] = [await here.tokenAt(secondsAgo(20)), await there.tokenAt(secondsAgo(20))];
    for (const token of [hereToken, thereToken]) expect(await outcomeOf(token)).toBe('accepted');
    return { sub, hereId, thereId, there, hereToken, thereToken };
  }
  const security = async (token: string) =>
    (await managed.call('GET', '/users/me/security', { token })).json();
  const end = (id: string, token: string) =>
    managed.call('DELETE', `/users/me/sessions/${encodeURIComponent(id)}`, { token });

  it('200 tells them, the last used first, and which is the caller’s', async () => {
    const { sub, hereId, thereId, hereToken } = await personWithTwoSessions();
    credentials.set(sub, [
      { id: 'a', type: 'otp' },
      { id: 'b', type: 'password' },
    ]);

    expect(await security(hereToken)).toEqual({
      second_factors: ['authenticator'],
      sessions: [
        {
          id: thereId,
          agent: null,
          address: null,
          start_date: '1970-01-01T00:00:03.000Z',
          last_used_date: '1970-01-01T00:00:09.000Z',
          is_current: false,
        },
        {
          id: hereId,
          agent: firefox,
          address: '203.0.113.5',
          start_date: '1970-01-01T00:00:01.000Z',
          last_used_date: '1970-01-01T00:00:02.000Z',
          is_current: true,
        },
      ],
    });
  });

  it('200 with null where the provider’s accounts are not managed', async () => {
    const { hereToken } = await personWithTwoSessions();
    const answer = await api.call('GET', '/users/me/security', { token: hereToken });
    expect(answer.json()).toEqual({ second_factors: null, sessions: null });
  });

  it('204 ends one at the provider and at every process at once, and the activity log says so', async () => {
    const { hereId, thereId, there, hereToken, thereToken } = await personWithTwoSessions();

    expect((await end(thereId, hereToken)).statusCode).toBe(204);

    expect((await security(hereToken)).sessions.map(({ id }: { id: string }) => id)).toEqual([hereId]);
    for (const on of [api, second, managed]) {
      expect(await outcomeOf(thereToken, on)).toBe('401 session_ended');
      expect(await outcomeOf(await there.tokenAt(new Date()), on)).toBe('401 session_ended');
      expect(await outcomeOf(hereToken, on)).toBe('accepted');
    }
    const { results } = (await managed.call('GET', '/users/me/activity', { token: hereToken })).json();
    expect(results[0]).toMatchObject({ kind: 'session.ended', by: 'customer' });
  });

  it('tells a session once and ends it, after the issuer’s address changed', async () => {
    const { sub, hereId, thereId, hereToken, thereToken } = await personWithTwoSessions();
    await api.database.pool.query(
      `insert into user_identities
       select (jsonb_populate_record(identity, '{"issuer":"https://old.example","created_at":"2020-01-01T00:00:00Z"}')).*
       from user_identities as identity where subject = $1`,
      [sub],
    );

    const { sessions: told } = await security(hereToken);
    expect(told.map(({ id }: { id: string }) => id)).toEqual([thereId, hereId]);
    expect((await end(thereId, hereToken)).statusCode).toBe(204);
    expect(await outcomeOf(thereToken)).toBe('401 session_ended');
  });

  it('404 session_not_found for a session of another customer, which goes on, and for one that has ended', async () => {
    const [mine, theirs] = [await personWithTwoSessions(), await personWithTwoSessions()];
    for (const id of [theirs.thereId, randomUUID(), 'current ', '../../users']) {
      const answer = await end(id, mine.hereToken);
      expect([answer.statusCode, answer.json().errors[0].code]).toEqual([404, 'session_not_found']);
    }
    expect(await outcomeOf(theirs.thereToken)).toBe('accepted');
    expect((await security(theirs.hereToken)).sessions).toHaveLength(2);
    const [first, again] = [await end(mine.thereId, mine.hereToken), await end(mine.thereId, mine.hereToken)];
    expect([first.statusCode, again.statusCode]).toEqual([204, 404]);
  });

  it('204 or 404, and the session ends, when it is ended 16 times at once', async () => {
    const { thereId, hereToken, thereToken } = await personWithTwoSessions();
    const answers = await Promise.all(Array.from({ length: 16 }, () => end(thereId, hereToken)));
    expect(answers.filter(({ statusCode }) => ![204, 404].includes(statusCode))).toEqual([]);
    expect(await outcomeOf(thereToken)).toBe('401 session_ended');
  });

  it('401 when signed out', async () => {
    expect((await managed.call('GET', '/users/me/security')).statusCode).toBe(401);
    expect((await managed.call('DELETE', '/users/me/sessions/some')).statusCode).toBe(401);
  });
});
