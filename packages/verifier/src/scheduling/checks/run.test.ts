import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../clock.ts';
import { collect, openWorld, tally, users } from '../../testing/world.ts';
import { createMemoryPermits, type HostPermits, type MailPlace } from '../hosts/host-permits.ts';

describe('a stream of addresses', () => {
  it('hands back what was given, in any order, malformed addresses too', async () => {
    const { newVerifier } = await openWorld();
    const items = [
      { email: ' jane@exists.test ', id: 1 },
      { email: 'nonsense', id: 2 },
      { email: 'nobody@exists.test', id: 3 },
    ];
    const findings = await collect(newVerifier().verifyAll(items));
    expect(findings.map(({ item, email, result }) => [item.id, email, result]).sort()).toEqual([
      [1, 'jane@exists.test', 'VALID'],
      [2, 'nonsense', 'INVALID'],
      [3, 'nobody@exists.test', 'INVALID'],
    ]);
  });

  it('takes batches as well as single addresses', async () => {
    const { newVerifier } = await openWorld();
    async function* batches() {
      yield ['jane@exists.test', 'john@exists.test'];
      yield 'nobody@exists.test';
      yield [];
    }
    expect(await collect(newVerifier().verifyAll(batches()))).toHaveLength(3);
  });

  it('hands out all findings of a turn in one batch', async () => {
    const { newVerifier } = await openWorld();
    const addresses = ['nonsense', 'more nonsense', 'no@such@thing'];
    const sizes: number[] = [];
    for await (const batch of newVerifier().verifyAll(addresses).batches()) sizes.push(batch.length);
    expect(sizes).toEqual([3]);
  });

  it('fills large transactions', async () => {
    const { world, newVerifier } = await openWorld({ zone: 'domain large.test accepts user*' });
    await collect(newVerifier().verifyAll(users(3_000, 'large.test')));
    const { transactions, recipients } = world.conduct.total;
    expect(recipients / transactions).toBeGreaterThan(25);
  });

  it('pauses while it reads a long list, so that hosts are heard meanwhile', async () => {
    const { newVerifier } = await openWorld();
    let turns = 0;
    let count = 0;
    function* slowToRead() {
      setImmediate(() => turns++);
      for (; count < 40 && turns === 0; count++) {
        const readAt = performance.now();
        while (performance.now() - readAt < 1);
        yield 'nonsense';
      }
    }
    await collect(newVerifier().verifyAll(slowToRead()));
    expect(turns).toBe(1);
    expect(count).toBeLessThan(40);
  });

  it('answers an empty stream with nothing', async () => {
    const { newVerifier } = await openWorld();
    expect(await collect(newVerifier().verifyAll([]))).toEqual([]);
  });

  it('reads no further than its window while nobody takes the findings', async () => {
    const { world, newVerifier } = await openWorld();
    let read = 0;
    function* endless() {
      for (;;) yield `user${++read}@no-pipelining.test`;
    }
    const findings = newVerifier().verifyAll(endless(), { inFlightMax: 50 });
    await findings.next();
    await expect.poll(() => world.conduct.total.recipients).toBeGreaterThanOrEqual(51);
    expect(read).toBeLessThanOrEqual(51);
    for (let taken = 0; taken < 100; taken++) await findings.next();
    expect(read).toBeLessThanOrEqual(151);
    await findings.return?.();
  });

  it('fails with the error of its source, and closes what it opened', async () => {
    const { world, newVerifier } = await openWorld();
    async function* broken() {
      yield 'jane@hangs.test';
      throw new Error('the disk is gone');
    }
    await expect(collect(newVerifier().verifyAll(broken()))).rejects.toThrow('the disk is gone');
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
  });

  it('one slow host does not hold up the rest', async () => {
    const { newVerifier } = await openWorld();
    const slow = users(200, 'hangs.test');
    // Long beside what the others take on the busiest of machines.
    const verifier = newVerifier({ timeouts: { recipientMs: 10_000 } });
    const findings = await collect(verifier.verifyAll([...slow, ...users(500, 'few-recipients.test')]));
    const order = findings.map(({ email }) => email.endsWith('few-recipients.test'));
    expect(order.lastIndexOf(true)).toBe(499);
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 500, 'UNKNOWN reply_timeout': 200 });
  });
});

describe('cancelling', () => {
  /** Counts timers that are still to fire. */
  function countingClock(): Clock & { pending: Set<object> } {
    const pending = new Set<object>();
    return {
      pending,
      now: systemClock.now,
      wallNow: systemClock.wallNow,
      after(delayMs, task) {
        const token = {};
        pending.add(token);
        const stop = systemClock.after(delayMs, () => {
          pending.delete(token);
          task();
        });
        return () => {
          pending.delete(token);
          stop();
        };
      },
    };
  }

  it.each([
    ['while DNS is silent', 'jane@dns-timeout.test', 0],
    ['before the greeting', 'jane@silent.test', 1],
    ['while the host thinks', 'jane@hangs.test', 1],
    ['while a greylister is waited for', 'jane@greylist-never.test', 1],
    ['while a throttling host rests', 'jane@throttled.test', 1],
    ['while a connection is being encrypted', 'jane@starttls.test', 1],
  ])('%s leaves no socket, timer or listener behind', async (_, email, connections) => {
    const { world, newVerifier } = await openWorld({ replyDelayMs: 20 });
    const clock = countingClock();
    const abort = new AbortController();
    const verifying = newVerifier({ clock }).verify(email, { signal: abort.signal });
    await expect.poll(() => world.conduct.total.connectionsTotal).toBeGreaterThanOrEqual(connections);
    if (connections === 0) await expect.poll(() => world.conduct.questions.MX).toBeGreaterThan(0);
    abort.abort(new Error('enough'));
    await expect(verifying).rejects.toThrow('enough');
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
    await expect.poll(() => clock.pending.size).toBe(0);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('before the start asks nobody anything', async () => {
    const { world, newVerifier } = await openWorld();
    const signal = AbortSignal.abort(new Error('never mind'));
    await expect(newVerifier().verify('jane@exists.test', { signal })).rejects.toThrow('never mind');
    expect(world.conduct.questions).toEqual({});
  });

  it('in the middle of a large list ends it at once', async () => {
    const { world, newVerifier } = await openWorld();
    const clock = countingClock();
    const abort = new AbortController();
    const findings = newVerifier({ clock }).verifyAll(users(20_000, 'no-pipelining.test'), {
      signal: abort.signal,
    });
    await findings.next();
    abort.abort();
    await expect(findings.next()).rejects.toThrow();
    expect(await findings.next()).toEqual({ value: undefined, done: true });
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
    await expect.poll(() => clock.pending.size).toBe(0);
  });

  it('one stream leaves the others of the verifier alone', async () => {
    const { newVerifier } = await openWorld({ replyDelayMs: 20 });
    const verifier = newVerifier();
    const abort = new AbortController();
    const cancelled = collect(verifier.verifyAll(users(500, 'no-pipelining.test'), { signal: abort.signal }));
    const other = collect(verifier.verifyAll(users(40, 'no-pipelining.test')));
    abort.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(tally(await other)).toEqual({ 'VALID mailbox_accepted': 40 });
  });

  it('leaving the loop is cancelling', async () => {
    const { world, newVerifier } = await openWorld();
    for await (const _ of newVerifier().verifyAll(users(2_000, 'no-pipelining.test'))) break;
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
  });

  it('a closed verifier takes nothing more', async () => {
    const { newVerifier } = await openWorld();
    const verifier = newVerifier();
    await verifier.close();
    await expect(verifier.verify('jane@exists.test')).rejects.toThrow('closed');
  });

  it('closing the verifier fails what is under way: its findings so far are not all', async () => {
    const { newVerifier } = await openWorld({ replyDelayMs: 20 });
    const verifier = newVerifier();
    const findings = verifier.verifyAll(users(2_000, 'no-pipelining.test'));
    await findings.next();
    const single = verifier.verify('jane@hangs.test');
    single.catch(() => undefined);
    const rest = collect(findings);
    rest.catch(() => undefined);

    await verifier.close();

    await expect(rest).rejects.toThrow('closed');
    await expect(single).rejects.toThrow('closed');
  });
});

describe('hosts that put us off', () => {
  it('are handed back with the time to try again, and the verdict as it stands', async () => {
    const { newVerifier } = await openWorld();
    const finding = await newVerifier().verify('jane@greylist-5m.test', { deferrals: 'return' });
    expect(finding).toMatchObject({ kind: 'try_again', result: 'UNKNOWN', reason: 'greylisted' });
    expect(finding.kind === 'try_again' && finding.afterMs).toBe(300_250);
    expect(finding.evidence.at(-1)).toMatchObject({
      stage: 'rcpt',
      reply: expect.stringContaining('Greylisted'),
    });
  });

  it('are handed back too when they throttle us again and again', async () => {
    const { newVerifier } = await openWorld();
    const finding = await newVerifier().verify('jane@busy-banner.test', { deferrals: 'return' });
    expect(finding).toMatchObject({ kind: 'try_again', reason: 'throttled', afterMs: expect.any(Number) });
  });

  it('are UNKNOWN at once for a caller without patience', async () => {
    const { newVerifier } = await openWorld();
    const finding = await newVerifier().verify('jane@greylist.test', { patienceMs: 0 });
    expect(finding).toMatchObject({ kind: 'verdict', result: 'UNKNOWN', reason: 'greylisted' });
  });
});

describe('permits', () => {
  function recording(inner: HostPermits) {
    const held: MailPlace[] = [];
    let most = 0;
    const heldOff: number[] = [];
    const permits: HostPermits = {
      async acquire(request, signal, onShort) {
        const { place } = request;
        const permit = await inner.acquire(request, signal, onShort);
        if ('restMs' in permit) return permit;
        held.push(place);
        most = Math.max(most, held.length);
        return {
          release() {
            held.splice(held.indexOf(place), 1);
            permit.release();
          },
        };
      },
      holdOff: (_, forMs) => heldOff.push(forMs),
    };
    return { permits, held, heldOff, most: () => most };
  }

  it('of the caller govern every connection; one at a time serves many hosts', async () => {
    const { newVerifier } = await openWorld();
    const record = recording(createMemoryPermits({ perHost: 1, perProvider: 1, total: 1 }));
    const verifier = newVerifier({ permits: record.permits });
    const domains = ['exists', 'catch-all', 'starttls', 'shared-open', 'gmail-like', 'no-pipelining'];
    const findings = await collect(verifier.verifyAll(domains.map((name) => `jane@${name}.test`)));
    expect(findings).toHaveLength(domains.length);
    expect(findings.filter(({ result }) => result === 'UNKNOWN')).toEqual([]);
    expect(record.most()).toBe(1);
    await verifier.close();
    expect(record.held).toEqual([]);
  });

  it('hear when a host wants to be left alone', async () => {
    const { newVerifier } = await openWorld();
    const record = recording(createMemoryPermits({ perHost: 8, perProvider: 8, total: 8 }));
    await newVerifier({ permits: record.permits }).verify('jane@throttled.test', { patienceMs: 100 });
    expect(record.heldOff.length).toBeGreaterThan(0);
  });

  /** A part of it may have passed on a busy machine. */
  const isRest = (afterMs: number) => afterMs > 0 && afterMs <= 30_000;

  it('say that a host rests: its addresses are put off as if it had told us', async () => {
    const { world, newVerifier } = await openWorld();
    const permits: HostPermits = { acquire: async () => ({ restMs: 30_000 }) };
    const findings = await collect(
      newVerifier({ permits }).verifyAll(['jane@exists.test'], { deferrals: 'return' }),
    );
    expect(findings).toMatchObject([
      { kind: 'try_again', result: 'UNKNOWN', reason: 'throttled', afterMs: expect.toSatisfy(isRest) },
    ]);
    expect(world.conduct.total.connectionsTotal).toBe(0);
  });

  it('end the rest of a connection that somebody else waits for', async () => {
    const { world, newVerifier } = await openWorld();
    const inner = createMemoryPermits({ perHost: 8, perProvider: 8, total: 8 });
    const hosts = new Set<string>();
    let tellWanted: (hosts: ReadonlySet<string>) => void = () => undefined;
    const permits: HostPermits = {
      acquire: (request, signal, onShort) => {
        hosts.add(request.place.host);
        return inner.acquire(request, signal, onShort);
      },
      watchWanted: (onWanted) => {
        tellWanted = onWanted;
      },
    };
    // So long that nothing but being wanted can end it.
    const verifier = newVerifier({ permits, limits: { idleMs: 600_000 } });
    await verifier.verify('jane@exists.test');
    expect(world.conduct.total.connectionsNow).toBe(1);

    tellWanted(hosts);
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
    await verifier.verify('john@exists.test');

    // And none is left to rest for as long as it is wanted.
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
    expect(world.conduct.total.quits).toBe(2);
  });

  it('limit a provider over all its hosts', async () => {
    const zone = [1, 2, 3, 4]
      .map((n) => `host mx${n}.big.test\ndomain d${n}.test mx mx${n}.big.test; accepts user*`)
      .join('\n');
    const { world, newVerifier } = await openWorld({ zone, replyDelayMs: 5 });
    const verifier = newVerifier({ limits: { connectionsPerProvider: 2 } });
    const findings = await collect(verifier.verifyAll([1, 2, 3, 4].flatMap((n) => users(600, `d${n}.test`))));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 2_400 });
    expect(world.conduct.total.connectionsPeak).toBeLessThanOrEqual(2);
  });
});
