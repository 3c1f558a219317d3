import { describe, expect, it } from 'vitest';
import { registrableDomainOf } from '../../address/registrable-domain.ts';
import type { Resolver } from '../../dns/resolver.ts';
import { createMemoryFactStore } from '../../fact-store.ts';
import { MailDomain } from '../jobs/job.ts';
import { DisposableHosts } from './disposable-hosts.ts';

/** Hosts below hoster.com serve anybody, hosts below trash.com are disposable; `ips` are the addresses of names. */
function open(ips: Record<string, string> = {}) {
  const resolver: Resolver = {
    mx: async () => ({ status: 'no_data', expiresAt: 0 }),
    ipv4: async (name) =>
      ips[name] === undefined
        ? { status: 'no_data', expiresAt: 0 }
        : { status: 'found', records: [ips[name]], expiresAt: 0 },
    ipv6: async () => ({ status: 'no_data', expiresAt: 0 }),
  };
  const facts = createMemoryFactStore();
  const hosts = new DisposableHosts({
    facts,
    traits: {
      hostKindOf: (host) =>
        host.endsWith('hoster.com')
          ? 'serves_anybody'
          : host.endsWith('trash.com')
            ? 'disposable'
            : 'unknown',
      registrableDomainOf,
    },
  });
  const isDisposable = async (name: string, mx: string[], known: Partial<MailDomain> = {}) => {
    const domain = Object.assign(new MailDomain(name), known);
    await hosts.examine(domain, mx, resolver);
    return domain.isDisposable;
  };
  const seeListed = async (count: number, mxOf: (index: number) => string) => {
    for (let index = 0; index < count; index++) {
      await isDisposable(`listed${index}.com`, [mxOf(index)], { isDisposable: true });
    }
  };
  return { facts, isDisposable, seeListed };
}

const namesAt = (ip: string, nameOf: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, index) => [nameOf(index), ip]));

describe('a domain that no list names', () => {
  it('is disposable at the host that three listed domains use, not that two use', async () => {
    const { isDisposable, seeListed } = open();
    await seeListed(2, () => 'mx.burner.com');
    expect(await isDisposable('new1.com', ['mx.burner.com'])).toBe(false);
    await seeListed(3, () => 'mx.burner.com');
    expect(await isDisposable('new2.com', ['mx.burner.com'])).toBe(true);
    expect(await isDisposable('new3.com', ['mx.other.com'])).toBe(false);
  });

  it('is disposable at the address of such hosts, whatever their owner calls the host today', async () => {
    const { isDisposable, seeListed } = open(namesAt('192.0.2.1', (index) => `mx${index}.burner.com`));
    await seeListed(3, (index) => `mx${index}.burner.com`);
    expect(await isDisposable('new.com', ['mx9.burner.com'])).toBe(true);
  });

  it('is not disposable at a shared address where a few listed domains have MX names of their own', async () => {
    const { isDisposable, seeListed } = open(namesAt('192.0.2.1', (index) => `mail.own${index}.com`));
    await seeListed(4, (index) => `mail.own${index}.com`);
    for (const index of [5, 6, 7, 8]) {
      expect(await isDisposable(`own${index}.com`, [`mail.own${index}.com`])).toBe(false);
    }
    await seeListed(10, (index) => `mail.own${index}.com`);
    expect(await isDisposable('own11.com', ['mail.own11.com'])).toBe(false);
  });

  it('is disposable at an address that ten listed domains have almost for themselves', async () => {
    const { isDisposable, seeListed } = open(namesAt('192.0.2.1', (index) => `mail.own${index}.com`));
    await seeListed(10, (index) => `mail.own${index}.com`);
    expect(await isDisposable('own11.com', ['mail.own11.com'])).toBe(true);
  });

  it('is disposable at once at a host that belongs to a disposable service', async () => {
    const { isDisposable } = open();
    expect(await isDisposable('new.com', ['mx.trash.com'])).toBe(true);
  });

  it('is not disposable at a hoster that serves anybody', async () => {
    const { isDisposable, seeListed, facts } = open();
    await seeListed(5, () => 'mx.hoster.com');
    expect(await isDisposable('shop.com', ['mx.hoster.com'])).toBe(false);
    expect(facts.findHostUse('mx.hoster.com')).toBeUndefined();
  });

  it('is not disposable at a small hoster with more other domains than listed ones', async () => {
    const { isDisposable, seeListed } = open();
    await seeListed(1, () => 'mx.small.com');
    for (const name of ['a.com', 'b.com', 'c.com', 'd.com']) await isDisposable(name, ['mx.small.com']);
    await seeListed(3, () => 'mx.small.com');
    expect(await isDisposable('e.com', ['mx.small.com'])).toBe(false);
  });

  it('is not disposable if it is an ordinary domain', async () => {
    const { isDisposable, seeListed } = open();
    await seeListed(3, () => 'mx.burner.com');
    expect(await isDisposable('myself.com', ['mx.burner.com', 'mx.trash.com'], { isOrdinary: true })).toBe(
      false,
    );
  });

  it('is judged without its hosts if the store fails', async () => {
    const { isDisposable, facts } = open();
    facts.findHostUse = () => Promise.reject(new Error('away'));
    expect(await isDisposable('new.com', ['mx.burner.com'])).toBe(false);
  });

  it('leaves nothing behind at hosts without a listed domain', async () => {
    const { isDisposable, facts } = open();
    await isDisposable('shop.com', ['mx.shop.com']);
    expect(facts.findHostUse('mx.shop.com')).toBeUndefined();
  });
});

describe('the store in memory', () => {
  it('keeps at most 100 domains for a host', () => {
    const { facts } = open();
    for (let index = 0; index < 150; index++) facts.saveHostUse('mx.burner.com', `d${index}.com`, true);
    expect(facts.findHostUse('mx.burner.com')).toEqual({ listedCount: 100, otherCount: 0 });
  });
});
