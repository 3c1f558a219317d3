import { describe, expect, it } from 'vitest';
import type { MailRoute } from './mail-route.ts';
import type { Resolver } from './resolver.ts';
import { findSuggestion } from './suggestion.ts';

const expiresAt = 1;
const ownHosts: MailRoute = { kind: 'hosts', hosts: ['mx.gmial.com'], isImplicit: false, expiresAt };
const itself: MailRoute = { kind: 'hosts', hosts: ['gmial.com'], isImplicit: true, expiresAt };

/** What is suggested for gmial.com, where gmail.com may be meant. */
function suggest(route: MailRoute, { isKnownTypo = false, isGmailThere = true } = {}) {
  const traits = {
    suggestionFor: (domain: string, hasMx: boolean) =>
      domain === 'gmial.com' && hasMx === (route === ownHosts || route.kind.startsWith('dns'))
        ? { name: 'gmail.com', isKnownTypo }
        : undefined,
  };
  const resolver: Resolver = {
    mx: async (name) =>
      name === 'gmail.com' && isGmailThere
        ? { status: 'found', records: [{ preference: 1, exchange: 'mx.gmail.com' }], expiresAt }
        : { status: 'no_such_name', expiresAt },
    ipv4: async () => ({ status: 'no_data', expiresAt }),
    ipv6: async () => ({ status: 'no_data', expiresAt }),
  };
  return findSuggestion('gmial.com', route, { traits, resolver });
}

describe('findSuggestion', () => {
  it.each<[string, MailRoute]>([
    ['does not exist', { kind: 'no_such_domain', expiresAt }],
    ['takes no mail', { kind: 'null_mx', expiresAt }],
    ['has no mail host', { kind: 'no_mail_host', expiresAt }],
    ['has no MX record', itself],
  ])('names the likely domain for one that %s', async (_, route) => {
    expect(await suggest(route)).toBe('gmail.com');
  });

  it.each<[string, MailRoute]>([
    ['has mail hosts of its own', ownHosts],
    ['could not be looked up', { kind: 'dns_failed', expiresAt }],
    ['was not answered in time', { kind: 'dns_timeout', expiresAt }],
  ])('names it for a domain that %s only when that is a known slip of the hand', async (_, route) => {
    expect(await suggest(route)).toBeUndefined();
    expect(await suggest(route, { isKnownTypo: true })).toBe('gmail.com');
  });

  it('names nothing that has no mail host itself, and nothing where nothing is likely', async () => {
    expect(await suggest(itself, { isGmailThere: false })).toBeUndefined();
    const traits = { suggestionFor: () => undefined };
    const resolver = {} as Resolver;
    expect(await findSuggestion('gmial.com', itself, { traits, resolver })).toBeUndefined();
  });
});
