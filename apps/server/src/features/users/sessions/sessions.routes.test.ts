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
