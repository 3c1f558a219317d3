import { describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { createMemoryPermits, type HostPermit, type HostRest } from './host-permits.ts';

const place = (host: string, provider = host) => ({ host, provider });

function openPermits(limits: { perHost?: number; perProvider?: number; total?: number }) {
  const clock = new ManualClock();
  const permits = createMemoryPermits({ perHost: 100, perProvider: 100, total: 100, ...limits }, clock);
  const granted: string[] = [];
  const acquire = (
    host: string,
    provider = host,
    signal = new AbortController().signal,
    onShort = () => {},
    customer = '',
  ) => {
    const permit = permits.acquire({ place: place(host, provider), customer }, signal, onShort);
    permit.then(
      () => granted.push(host),
      () => {},
    );
    return permit;
  };
  const ask = (host: string, customer: string) => acquire(host, host, undefined, undefined, customer);
  return { acquire, ask, granted, clock, permits };
}

const turn = () => new Promise(setImmediate);
const release = async (permit: Promise<HostPermit | HostRest>) => {
  const held = await permit;
  if ('release' in held) held.release();
  await turn();
};

describe('permits in memory', () => {
  it.each([
    ['a host', { perHost: 2 }, ['a', 'a', 'a', 'b'], ['a', 'a', 'b']],
    ['all hosts together', { total: 2 }, ['a', 'b', 'c'], ['a', 'b']],
  ])('limit the connections to %s', async (_, limits, hosts, expected) => {
    const { acquire, granted } = openPermits(limits);
    for (const host of hosts) acquire(host);
    await turn();
    expect(granted).toEqual(expected);
  });

  it('limit the connections to the hosts of a provider', async () => {
    const { acquire, granted } = openPermits({ perProvider: 2 });
    for (const host of ['a', 'b', 'c']) acquire(host, 'big.com');
    acquire('d', 'small.com');
    await turn();
    expect(granted).toEqual(['a', 'b', 'd']);
  });

  it('go to the one that waited longest and has room', async () => {
    const { acquire, granted } = openPermits({ perHost: 1, total: 2 });
    const first = acquire('a');
    const second = acquire('b');
    acquire('b');
    acquire('c');
    acquire('a');
    await turn();
    expect(granted).toEqual(['a', 'b']);
    await release(first);
    expect(granted).toEqual(['a', 'b', 'c']);
    await release(second);
    expect(granted).toEqual(['a', 'b', 'c', 'b']);
  });

  it('leave room for another customer, whatever one asks for', async () => {
    const { ask, granted } = openPermits({ total: 8 });
    const first = ask('a0', 'many');
    for (let index = 1; index < 20; index += 1) ask(`a${index}`, 'many');
    await turn();
    expect(granted).toHaveLength(6);

    ask('b0', 'few');
    ask('b1', 'few');
    await turn();
    expect(granted.slice(6)).toEqual(['b0', 'b1']);

    ask('b2', 'few');
    await release(first);
    expect(granted.slice(8)).toEqual(['b2']);
  });

  it('go to a customer without any first, however long others wait', async () => {
    const { ask, granted } = openPermits({ total: 4 });
    const first = ask('a0', 'a');
    for (const host of ['a1', 'a2', 'a3']) ask(host, 'a');
    ask('b0', 'b');
    ask('b1', 'b');
    ask('c0', 'c');
    await turn();
    expect(granted).toEqual(['a0', 'a1', 'a2', 'b0']);
    await release(first);
    expect(granted.at(-1)).toBe('c0');
  });

  describe('report the customer with the most', () => {
    /** Four connections, all taken: three for one customer, one for another. */
    const openCrowded = async (limits = {}) => {
      const open = openPermits({ total: 4, ...limits });
      const reports: string[] = [];
      const held = ['a0', 'a1', 'a2'].map((host) => open.ask(host, 'many'));
      open.ask('b0', 'few');
      let onCrowding = (_customer: string) => {};
      open.permits.watchCrowding?.((customer) => {
        reports.push(customer);
        onCrowding(customer);
      });
      await turn();
      const closeOnReport = async () => {
        const permits = await Promise.all(held);
        onCrowding = () => {
          const permit = permits.shift();
          if (permit && 'release' in permit) permit.release();
        };
      };
      return { ...open, reports, closeOnReport };
    };

    it('each second, while one without any waits', async () => {
      const { ask, acquire, reports, clock } = await openCrowded();
      ask('a3', 'many');
      ask('b1', 'few');
      acquire('c0');
      await turn();
      expect(reports, 'those who wait have some, or are nobody').toEqual([]);
      const gone = new AbortController();
      acquire('d0', 'd0', gone.signal, undefined, 'newcomer').catch(() => {});
      await turn();
      expect(reports).toEqual(['many']);
      clock.advance(2_000);
      expect(reports).toEqual(['many', 'many', 'many']);
      gone.abort();
      await turn();
      clock.advance(2_000);
      expect(reports).toHaveLength(3);
      expect(clock.timerCount).toBe(0);
    });

    it('once for each connection that is given up, and no more when all have one', async () => {
      const { ask, reports, granted, clock, closeOnReport } = await openCrowded();
      await closeOnReport();
      for (const newcomer of ['c', 'd', 'e']) ask(`${newcomer}0`, newcomer);
      await turn();
      await turn();
      // The last one stays with its customer, who has no more than the others.
      expect(granted.slice(4)).toEqual(['c0', 'd0']);
      expect(reports).toEqual(['many', 'many']);
      clock.advance(5_000);
      expect(reports).toHaveLength(2);
    });

    it('not if the newcomer waits for a host that has no room', async () => {
      const { ask, reports } = await openCrowded({ perHost: 1 });
      ask('b0', 'newcomer');
      await turn();
      expect(reports).toEqual([]);
    });
  });

  it('free one place for each release, and only once', async () => {
    const { acquire, granted } = openPermits({ total: 1 });
    const first = acquire('a');
    acquire('b');
    acquire('c');
    await release(first);
    await release(first);
    expect(granted).toEqual(['a', 'b']);
  });

  it('free a place at the provider with each release', async () => {
    const { acquire, granted } = openPermits({ perProvider: 1 });
    const first = acquire('a', 'big.com');
    acquire('b', 'big.com');
    await release(first);
    expect(granted).toEqual(['a', 'b']);
  });

  it('tell only a caller that has to wait', async () => {
    const { acquire } = openPermits({ total: 1 });
    const [early, late] = [vi.fn(), vi.fn()];
    acquire('a', 'a', undefined, early);
    acquire('b', 'b', undefined, late);
    await turn();
    expect(early).not.toHaveBeenCalled();
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('reject a caller that stops to wait, and leave its turn to the next', async () => {
    const { acquire, granted } = openPermits({ total: 1 });
    const first = acquire('a');
    const stop = new AbortController();
    const second = acquire('b', 'b', stop.signal);
    acquire('c');
    stop.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await release(first);
    expect(granted).toEqual(['a', 'c']);
  });

  it('reject a caller that has stopped before', async () => {
    const { acquire } = openPermits({});
    await expect(acquire('a', 'a', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });

  it('stay valid when the caller aborts after it has one', async () => {
    const { acquire, granted } = openPermits({ total: 1 });
    const stop = new AbortController();
    const first = acquire('a');
    const second = acquire('b', 'b', stop.signal);
    await release(first);
    stop.abort();
    acquire('c');
    await turn();
    expect(granted).toEqual(['a', 'b']);
    await release(second);
    expect(granted).toEqual(['a', 'b', 'c']);
  });
});
