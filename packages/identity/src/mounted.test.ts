import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase } from '@assay/postgres/testing/database';
import { freePort } from '@assay/postgres/testing/free-port';
import { codeIn, startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorize,
  buildPerson,
  exchangeCode,
  getJson,
  goodbyeUri,
  redirectUri,
  signIn,
  signUp,
  startTestIdentity,
  type TestIdentity,
} from './testing/test-identity.ts';

const mailbox = await startTestMailbox();
const ports = [await freePort(), await freePort()] as const;
/** Requests go to two processes in turn. */
let turn = 0;
const balancer = createServer((incoming, answer) => {
  turn += 1;
  const { method, url: path, headers } = incoming;
  const outgoing = request(
    { host: '127.0.0.1', port: ports[turn % 2], method, path, headers },
    (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    },
  );
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
}).listen(0, '127.0.0.1');
let issuer: string;
let identities: TestIdentity[];
let identity: TestIdentity;

beforeAll(async () => {
  if (!balancer.listening) await once(balancer, 'listening');
  issuer = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}/identity`;
  const databaseUrl = await createDatabase();
  const options = { databaseUrl, issuer, smtpRelayUrl: mailbox.url, standsInForGoogle: false };
  identities = await Promise.all(ports.map((port) => startTestIdentity({ ...options, port })));
  identity = identities[0] as TestIdentity;
});
afterAll(async () => {
  balancer.close();
  balancer.closeAllConnections();
  await Promise.all([...identities.map((one) => one.close()), mailbox.close()]);
  expect(identities.flatMap(({ faults }) => faults)).toEqual([]);
});

describe('two processes of a provider below a path', () => {
  it('name themselves and all endpoints below it, and answer nothing elsewhere but whether they are well', async () => {
    const discovery = await getJson<Record<string, unknown>>(`${issuer}/.well-known/openid-configuration`);
    const addresses = Object.entries(discovery).filter(([name]) => /_(endpoint|uri)$|^issuer$/.test(name));
    expect(addresses.length).toBeGreaterThan(5);
    for (const [, address] of addresses)
      expect(address === issuer || String(address).startsWith(`${issuer}/`)).toBe(true);
    const statusOf = async (path: string) => (await fetch(new URL(path, issuer))).status;
    for (const path of ['/auth', '/identity', '/identities/auth', '/.well-known/openid-configuration', '/'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    expect(await statusOf('/health/live')).toBe(200);
    expect(await statusOf('/health/ready')).toBe(200);
  });

  it('share sign-up by code, session, tokens and sign-out; every link, form, file and cookie is below the path', async () => {
    const visitor = identity.visitor();
    const person = buildPerson();
    const { page, verifier } = await signUp(identity, visitor, person);
    expect(page.url.pathname).toMatch(/^\/identity\/interaction\/[\w-]+\/code$/);
    const paths = [...page.text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !path.startsWith('/identity/'))).toEqual([]);
    const sheet = paths.find((path) => path.endsWith('.css')) ?? '';
    const [, font = ''] =
      /url\("([^"]+\.woff2)"\)/.exec(await (await fetch(new URL(sheet, issuer))).text()) ?? [];
    expect((await fetch(new URL(font, new URL(sheet, issuer)))).status).toBe(200);

    const back = await visitor.submit(page, { code: codeIn(await mailbox.take(person.email)) });
    const { body } = await exchangeCode(identity, back, verifier);
    expect(visitor.cookies.length).toBeGreaterThan(0);
    expect(visitor.cookies.filter(({ path }) => !path.startsWith('/identity'))).toEqual([]);
    expect((await authorize(identity, visitor)).page.url.href).toContain(redirectUri);
    expect(await getJson(`${issuer}/me`, { authorization: `Bearer ${body.access_token}` })).toMatchObject({
      email: person.email,
    });

    const goodbye = new URLSearchParams({
      id_token_hint: body.id_token ?? '',
      post_logout_redirect_uri: goodbyeUri,
    });
    expect((await visitor.open(`${issuer}/session/end?${goodbye}`)).url.href).toBe(goodbyeUri);
    expect(visitor.cookies.filter(({ name }) => name.endsWith('_session'))).toEqual([]);
    expect((await authorize(identity, visitor)).page.url.pathname).toContain('/interaction/');
    expect((await signIn(identity, visitor, person)).page.url.href).toContain(redirectUri);
  });

  it('do not offer the page that stands in for Google', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    expect(page.text).not.toContain('Google');
    expect((await visitor.open(`${page.url.href}/google`)).status).toBe(400);
  });
});
