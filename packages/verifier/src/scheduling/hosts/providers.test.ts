import { describe, expect, it } from 'vitest';
import { createProviderFinder, type ProviderPlan, publishedProviders } from './providers.ts';

const providerOf = createProviderFinder(publishedProviders, (host) => `domain of ${host}`);

describe('published providers', () => {
  it.each([
    ['aspmx.l.google.com', 'Google allows 5 connections, 50 recipients per connection'],
    ['alt1.aspmx.l.google.com', 'Google allows 5 connections, 50 recipients per connection'],
    ['aspmx2.googlemail.com', 'Google allows 5 connections, 50 recipients per connection'],
    [
      'outlook-com.olc.protection.outlook.com',
      'Outlook.com allows 5 connections, 50 recipients per connection',
    ],
    [
      'acme-com.mail.protection.outlook.com',
      'Microsoft 365 allows 5 connections, 50 recipients per connection',
    ],
    ['acme.mail.eo.outlook.com', 'Microsoft 365 allows 5 connections, 50 recipients per connection'],
    ['acme.o-v1.mx.microsoft', 'Microsoft 365 (DANE) allows 5 connections, 50 recipients per connection'],
    ['mta5.am0.yahoodns.net', 'Yahoo allows 20 recipients per connection'],
    ['mx1.mail.yahoo.co.jp', 'Yahoo Japan allows 2 connections, 20 recipients per connection'],
    ['mx01.mail.icloud.com', 'Apple allows 10 connections, 5 recipients per connection'],
    ['mx02.mail.me.com', 'Apple allows 10 connections, 5 recipients per connection'],
    ['mx00.mail.com', 'GMX allows 4 connections, 20 recipients per connection'],
    ['mx00.emig.gmx.net', 'GMX allows 4 connections, 20 recipients per connection'],
    ['mx-ha02.web.de', 'GMX allows 4 connections, 20 recipients per connection'],
    ['smtp-in.orange.fr', 'Orange allows 2 connections, 100 recipients per connection'],
    ['mx1a1.comcast.net', 'Comcast allows 25 connections, 1000 recipients per connection'],
    ['eu-smtp-inbound-1.mimecast.com', 'Mimecast eu allows 10 connections, 100 recipients per connection'],
    ['za-smtp-inbound-1.mimecast.co.za', 'Mimecast za allows 10 connections, 100 recipients per connection'],
    ['d1234.a.ess.uk.barracudanetworks.com', 'Barracuda allows 10 connections, 15 recipients per connection'],
    ['mx3.qq.com', 'QQ allows 4 connections, 8 recipients per connection'],
    ['163mx01.mxmail.netease.com', 'NetEase allows 4 connections, 7 recipients per connection'],
  ])('%s: %s', (host, limit) => {
    expect(providerOf(host).limit).toBe(limit);
  });

  it.each([
    ['mx.example.com', 'an unknown host'],
    ['notsmtp.google.com', 'a name that only ends alike'],
    ['smtpxgoogle.com', 'a name that has another character for a dot'],
    ['www.google.com', 'a host of the provider that takes no mail'],
    ['lfbn-1.abo.wanadoo.fr', 'a customer of Orange'],
    ['c-192-0-2-1.hsd1.ca.comcast.net', 'a customer of Comcast'],
    ['eu-api.mimecast.com', 'a host of a region that takes no mail'],
  ])('%s (%s) has no limits; its provider is the registrable domain', (host) => {
    expect(providerOf(host)).toEqual({ name: `domain of ${host}` });
  });

  it('one provider for all its hosts, and one for each region where regions count', () => {
    expect(providerOf('mx01.mail.icloud.com')).toBe(providerOf('mx02.mail.icloud.com'));
    expect(providerOf('us-smtp-inbound-1.mimecast.com')).toBe(providerOf('us-smtp-inbound-2.mimecast.com'));
    expect(providerOf('us-smtp-inbound-1.mimecast.com')).toMatchObject({
      name: 'Mimecast us',
      brand: 'Mimecast',
    });
  });

  it.each([
    ['mta5.am0.yahoodns.net', '4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred', 120],
    ['mta5.am0.yahoodns.net', '4.7.0 [TSS05] Messages from 192.0.2.1 temporarily deferred', 240],
    ['x.mail.protection.outlook.com', '4.7.500 Server busy. Please try again later from [192.0.2.1].', 30],
    ['x.olc.protection.outlook.com', '5.7.1 part of their network is on our block list (S3140).', 120],
    ['mx01.mail.icloud.com', '5.7.1 [HCM1] Message rejected due to local policy.', 15],
    ['eu-smtp-inbound-1.mimecast.com', 'Internal resources are temporarily unavailable', 30],
    ['mx3.qq.com', 'Connection frequency limited', 60],
  ])('%s rests after "%s" for %i minutes', (host, reply, minutes) => {
    const { name, restAfter } = providerOf(host);
    expect(restAfter?.(reply)).toEqual({
      forMs: minutes * 60_000,
      limit: expect.stringMatching(`^${name} rests ${minutes} min after "`),
    });
  });

  it('does not take the name of a mailbox for a reason to rest', () => {
    const reply = '5.1.1 <bs02@icloud.com>: user does not exist';
    expect(providerOf('mx01.mail.icloud.com').restAfter?.(reply)).toBeUndefined();
  });
});

describe('a plan', () => {
  const finderOf = (...plans: ProviderPlan[]) =>
    createProviderFinder(
      () => plans,
      (host) => host,
    );
  const hosts = ['mx*.acme.test'];

  it('gives its limits as figures and in words', () => {
    const provider = finderOf({ name: 'Acme', hosts, connections: 3, recipientsPerConnection: 20 })(
      'mx1.acme.test',
    );

    expect(provider).toEqual({
      name: 'Acme',
      connections: 3,
      recipientsPerConnection: 20,
      limit: 'Acme allows 3 connections, 20 recipients per connection',
      restAfter: expect.any(Function),
    });
  });

  it('says nothing of limits that it does not have, and never rests without a reason', () => {
    const provider = finderOf({ name: 'Acme', hosts })('mx1.acme.test');

    expect(Object.keys(provider).toSorted()).toEqual(['name', 'restAfter']);
    expect(provider.restAfter?.('421 4.7.0 Too many connections')).toBeUndefined();
  });

  it.each([
    ['mx.acme.test', true],
    ['mx12.acme.test', true],
    ['m.acme.test', false],
  ])('with mx*.acme.test: %s is its host: %s', (host, isIts) => {
    expect(finderOf({ name: 'Acme', hosts })(host).name === 'Acme').toBe(isIts);
  });

  it('does not read one letter twice where the ends of a pattern overlap', () => {
    const providerOf = finderOf({ name: 'Acme', hosts: ['ab*ba.test'] });

    expect(providerOf('abba.test').name).toBe('Acme');
    expect(providerOf('aba.test').name).toBe('aba.test');
  });

  it('reads a region only at the start of a name, and has none where there is none', () => {
    const providerOf = finderOf({ name: 'Acme', hosts: ['*.acme.test'], hasRegions: true });

    expect(providerOf('eu-in.acme.test').name).toBe('Acme eu');
    expect(providerOf('1eu-in.acme.test').name).toBe('Acme');
    expect(providerOf('in.acme.test').name).toBe('Acme');
  });

  it('is asked once per host, until ten thousand hosts are known', () => {
    let asked = 0;
    const providerOf = createProviderFinder(
      () => {
        asked += 1;
        return [{ name: 'Acme', hosts }];
      },
      (host) => host,
    );
    const first = providerOf('mx1.acme.test');
    for (let number = 2; number <= 10_000; number++) providerOf(`mx${number}.acme.test`);
    expect(providerOf('mx1.acme.test')).toBe(first);
    expect(asked).toBe(10_000);

    expect(providerOf('mx10001.acme.test')).not.toBe(first);
    expect(providerOf('mx1.acme.test')).not.toBe(first);
    expect(asked).toBe(10_002);
  });
});
