import { egressAwayNote, type Finding, ownLimitNote } from '@assay/verifier';
import { expect, it } from 'vitest';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { movableClock } from '../../../testing/clock.ts';
import { createFindingWatch } from './finding-watch.ts';

function open() {
  const lines: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const clock = movableClock();
  let alertCount = 0;
  const watch = createFindingWatch({
    clock,
    metrics,
    logger: createLogger({
      level: 'debug',
      process: 'test',
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    }),
    onAlert: () => {
      alertCount += 1;
    },
  })('default');
  const note = (count: number, reason: string, host = 'mx1.provider.com', kind = 'verdict') => {
    const result = reason === 'mailbox_accepted' ? 'VALID' : 'UNKNOWN';
    const finding = { kind, result, reason, evidence: [{ stage: 'rcpt', host }, { stage: 'proof' }] };
    for (let index = 0; index < count; index++) watch.note(finding as Finding<unknown>);
  };
  const alerts = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('assay_egress_alerts{'));
  return { watch, note, lines, alerts, clock, alertCount: () => alertCount };
}

it('a sudden rise of blocked findings raises an alert once, by provider and egress', async () => {
  const { note, lines, alerts, alertCount } = open();
  note(60, 'mailbox_accepted');
  note(40, 'blocked', 'mx2.provider.com');
  note(60, 'mailbox_accepted', 'mx.other.com');
  expect(lines).toEqual([
    expect.objectContaining({ provider: 'provider.com', kind: 'unknown', percent: 30 }),
    expect.objectContaining({ provider: 'provider.com', kind: 'blocked', percent: 30 }),
  ]);
  expect(await alerts()).toEqual([
    'assay_egress_alerts{egress="default",provider="provider.com",kind="unknown"} 1',
    'assay_egress_alerts{egress="default",provider="provider.com",kind="blocked"} 1',
  ]);
  expect(alertCount()).toBe(2);
});

it('few findings, or a share that is usual for the provider, raise none', async () => {
  const { note, lines, clock } = open();
  note(49, 'blocked');
  expect(lines).toEqual([]);
  for (let window = 0; window < 3; window++) {
    note(80, 'mailbox_accepted', 'mx.slow.com');
    note(20, 'greylisted', 'mx.slow.com');
    clock.advance({ minutes: 10 });
  }
  note(60, 'mailbox_accepted', 'mx.slow.com');
  note(40, 'greylisted', 'mx.slow.com');
  expect(lines).toEqual([]);
});

it('an alert ends when ten minutes pass without the rise, also when the wall clock was set back', async () => {
  const { note, alerts, clock } = open();
  note(50, 'connection_timeout');
  expect(await alerts()).toHaveLength(1);
  clock.advance({ minutes: 10 });
  expect(await alerts()).toHaveLength(1);
  note(60, 'mailbox_accepted');
  clock.jump({ hours: -2 });
  clock.advance({ minutes: 10 });
  expect(await alerts()).toEqual([]);
});

it('an egress that is away is checked at once, and again after a minute', () => {
  const { watch, alertCount, clock } = open();
  const finding = {
    kind: 'try_again',
    result: 'UNKNOWN',
    reason: 'connection_timeout',
    evidence: [{ stage: 'dns' }, { stage: 'connect', host: 'mx.provider.com', note: egressAwayNote }],
  } as Finding<unknown>;
  for (let index = 0; index < 3; index++) watch.note(finding);
  expect(alertCount()).toBe(1);
  clock.advance({ minutes: 1 });
  watch.note(finding);
  expect(alertCount()).toBe(2);
});

it('findings to try again do not count', () => {
  const { note, lines } = open();
  note(60, 'greylisted', 'mx.provider.com', 'try_again');
  expect(lines).toEqual([]);
});

it('addresses that we did not ask about because of our own limit do not count', async () => {
  const { watch, note, alerts } = open();
  note(60, 'mailbox_accepted');
  const evidence = [{ stage: 'connect', host: 'mx1.provider.com', note: ownLimitNote }];
  const finding = { kind: 'verdict', result: 'UNKNOWN', reason: 'throttled', evidence };
  for (let index = 0; index < 60; index++) watch.note(finding as unknown as Finding<unknown>);
  expect(await alerts()).toEqual([]);
});
