import { describe, expect, it } from 'vitest';
import { isNetwork, type RouteContract } from '../index.ts';
import { allRoutes } from '../operator/index.ts';

const calls: RouteContract[] = Object.values(allRoutes).flatMap((feature) => Object.values(feature));
const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`;

describe('the scopes of the calls', () => {
  it('are declared by exactly the calls that API keys can make', () => {
    const declared = calls.filter(({ keyScope }) => keyScope !== undefined);
    const open = calls.filter(({ auth }) => auth === 'user_or_key');

    expect(declared.map(nameOf)).toEqual(open.map(nameOf));
  });

  it('are `guess` for all calls of guessing, and only for them', () => {
    const scopes = calls.map((call) => [call.path.startsWith('/guessing/'), call.keyScope === 'guess']);

    expect(scopes.filter(([isGuessing, isGuess]) => isGuessing !== isGuess)).toEqual([]);
  });

  it('keep reading apart from changing and from spending', () => {
    const validations = calls.filter(({ path }) => path.startsWith('/validations/'));
    const scopesOf = (isWanted: (call: RouteContract) => boolean) =>
      new Set(validations.filter(isWanted).map(({ keyScope }) => keyScope));

    expect(scopesOf(({ method }) => method === 'GET')).toEqual(new Set(['read_results']));
    expect(scopesOf(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method))).toEqual(
      new Set(['manage_lists']),
    );
    expect(scopesOf(({ takesIdempotencyKey }) => takesIdempotencyKey === true)).toEqual(new Set(['verify']));
  });

  it('leave only billing/me open to every key', () => {
    expect(calls.filter(({ keyScope }) => keyScope === 'any').map(nameOf)).toEqual(['GET /billing/me']);
  });
});

describe('isNetwork', () => {
  it.each([
    '203.0.113.7',
    '203.0.113.0/24',
    '0.0.0.0/0',
    '2001:db8::/32',
    '2001:db8::1',
    '::/0',
    '::ffff:203.0.113.7',
  ])('takes %s', (text) => expect(isNetwork(text)).toBe(true));
  it.each([
    '',
    '/',
    '203.0.113.0/33',
    '203.0.113.0/',
    '203.0.113.0/-1',
    '203.0.113.0/24/8',
    '203.0.113',
    '2001:db8::/129',
    'fe80::1%eth0',
    'localhost',
    '203.0.113.0/ 8',
    '203.0.113.256',
  ])('refuses %j', (text) => expect(isNetwork(text)).toBe(false));
});
