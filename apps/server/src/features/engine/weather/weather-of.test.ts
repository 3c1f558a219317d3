import { egressAwayNote, ownLimitNote, type Reason } from '@assay/verifier';
import { expect, it } from 'vitest';
import { type Weather, weatherOf, weatherPlace } from './weather-of.ts';

const asked = { stage: 'rcpt', host: 'mx.a.test' } as const;

it.each<[Weather | null, 'verdict' | 'try_again', Reason]>([
  ['answered', 'verdict', 'mailbox_accepted'],
  ['answered', 'verdict', 'no_such_mailbox'],
  ['answered', 'verdict', 'mailbox_full'],
  ['deferred', 'try_again', 'greylisted'],
  ['deferred', 'verdict', 'throttled'],
  ['deferred', 'verdict', 'temporary_failure'],
  ['timed_out', 'verdict', 'reply_timeout'],
  ['timed_out', 'try_again', 'connection_timeout'],
  ['blocked', 'verdict', 'blocked'],
])('%s: a %s of %s', (weather, kind, reason) => {
  expect(weatherOf({ kind, reason, evidence: [asked] })).toBe(weather);
});

it('says nothing where no host was asked, or we could not', () => {
  const of = (reason: Reason, ...evidence: Parameters<typeof weatherOf>[0]['evidence']) =>
    weatherOf({ kind: 'verdict', reason, evidence });
  expect(of('no_such_domain', { stage: 'dns', note: 'no such domain' })).toBeNull();
  expect(of('connection_timeout', { ...asked, note: egressAwayNote })).toBeNull();
  expect(of('throttled', { ...asked, note: ownLimitNote })).toBe('held_back');
});

it('names providers with published limits, and counts all others together', () => {
  expect(weatherPlace('Google')).toBe('Google');
  expect(weatherPlace('Mimecast')).toBe('Mimecast');
  expect(weatherPlace('company.example')).toBe('others');
  expect(weatherPlace(undefined)).toBe('others');
});
