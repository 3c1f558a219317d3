import { describe, expect, it } from 'vitest';
import { HostManners } from './host-manners.ts';
import type { SessionFailure } from './session-failure.ts';

const limits = { recipientsPerTransaction: 100, connectionsPerHost: 8 };
const fresh = { askedCount: 0, answeredCount: 0, outstanding: 0, hasPipelining: true };
const manyWaiting = 1_000_000;
const muchWork = { recipientCount: manyWaiting, connectionCount: 1 };
const failure: SessionFailure = {
  reason: 'connection_refused',
  stage: { stage: 'connect' },
  farewell: undefined,
};

const ready = (manners: HostManners, hasPipelining = true) => {
  manners.onGreeting();
  manners.onReady(hasPipelining, 0);
};

describe('recipients per transaction', () => {
  it('start at 50, double with each answered transaction and end at the limit', () => {
    const manners = new HostManners(limits);
    expect(manners.roomOn(fresh, muchWork)).toBe(50);
    manners.onAllAnswered(fresh);
    expect(manners.roomOn(fresh, muchWork)).toBe(100);
    manners.onAllAnswered(fresh);
    expect(manners.roomOn(fresh, muchWork)).toBe(100);
  });

  it('start at the limit when it is lower', () => {
    expect(new HostManners({ ...limits, recipientsPerTransaction: 20 }).roomOn(fresh, muchWork)).toBe(20);
  });

  it('fit into a transaction up to the limit of the moment', () => {
    const manners = new HostManners(limits);
    expect([50, 51].map((count) => manners.fitsTransaction(count))).toEqual([true, false]);
  });

  it('stay at a limit that the host has shown', () => {
    const manners = new HostManners(limits);
    manners.limitTransaction(5);
    manners.onAllAnswered(fresh);
    expect(manners.roomOn(fresh, muchWork)).toBe(5);
    manners.limitTransaction(9);
    expect(manners.roomOn(fresh, muchWork)).toBe(5);
  });

  it('are ten at first without PIPELINING, then equal parts of the work of the host', () => {
    const manners = new HostManners(limits);
    const plain = { ...fresh, hasPipelining: false };
    ready(manners, false);
    expect(manners.roomOn(plain, { recipientCount: 330, connectionCount: 1 })).toBe(10);
    expect(manners.roomOn(plain, { recipientCount: 26, connectionCount: 3 })).toBe(9);
    manners.onAllAnswered(plain);
    expect(manners.roomOn(plain, { recipientCount: 330, connectionCount: 1 })).toBe(42);
    expect(manners.roomOn(plain, { recipientCount: 32, connectionCount: 8 })).toBe(4);
    expect(manners.roomOn(plain, muchWork)).toBe(100);
  });

  it('halve when the host wants us to slow down, down to one, and grow again', () => {
    const manners = new HostManners({ ...limits, recipientsPerTransaction: 5 });
    const rooms = [1, 2, 3].map(() => {
      manners.onSlowDown();
      return manners.roomOn(fresh, muchWork);
    });
    expect(rooms).toEqual([2, 1, 1]);
    manners.onAllAnswered(fresh);
    expect(manners.roomOn(fresh, muchWork)).toBe(2);
  });
});

describe('pipelining', () => {
  it('is unproved until a pipelined connection has answered everything', () => {
    const manners = new HostManners(limits);
    manners.onAllAnswered({ ...fresh, hasPipelining: false });
    expect(manners.pipelining(0)).toBe('unproved');
    manners.onAllAnswered(fresh);
    expect(manners.pipelining(0)).toBe('proved');
  });

  it('is broken for an hour when it has never worked', () => {
    const manners = new HostManners(limits);
    manners.avoidPipelining(5);
    expect(manners.pipelining(3_600_004)).toBe('broken');
    expect(manners.pipelining(3_600_005)).toBe('unproved');
  });

  it('returns after ten minutes when it has worked before', () => {
    const manners = new HostManners(limits);
    manners.onAllAnswered(fresh);
    manners.avoidPipelining(5);
    expect(manners.pipelining(600_004)).toBe('broken');
    expect(manners.pipelining(600_005)).toBe('proved');
  });
});

describe('recipients per connection', () => {
  it('have no limit at first', () => {
    expect(new HostManners(limits).isUsedUp({ ...fresh, askedCount: 1_000_000 })).toBe(false);
  });

  it('start at the limit of the provider', () => {
    const manners = new HostManners(limits, { recipientsPerConnection: 20 });
    expect(manners.roomOn({ ...fresh, askedCount: 15 }, muchWork)).toBe(4);
    expect(manners.isUsedUp({ ...fresh, askedCount: 19 })).toBe(true);
  });

  it('end at the lowest limit that the host has shown', () => {
    const manners = new HostManners(limits);
    manners.limitConnection(10);
    manners.limitConnection(20);
    expect(manners.roomOn({ ...fresh, askedCount: 4 }, muchWork)).toBe(5);
    expect(manners.isUsedUp({ ...fresh, askedCount: 8 })).toBe(false);
    expect(manners.isUsedUp({ ...fresh, askedCount: 9 })).toBe(true);
    expect([9, 10].map((askedCount) => manners.hasRoomForControl({ ...fresh, askedCount }))).toEqual([
      true,
      false,
    ]);
  });

  it('may have more again ten minutes after a lost connection, but not after the host named its limit', () => {
    const manners = new HostManners(limits);
    const recipientsMax = () => manners.roomOn(fresh, muchWork) + 1;
    manners.limitConnection(20);
    manners.limitConnectionForNow(3, 0);
    manners.onReady(true, 599_999);
    expect(recipientsMax()).toBe(3);
    manners.onReady(true, 600_000);
    expect(recipientsMax()).toBe(20);
  });
});

describe('a second transaction before the answers to the first', () => {
  const manners = new HostManners(limits);
  it.each([
    ['follows when half a transaction waits', {}, 25, true],
    ['does not follow for a handful', {}, 24, false],
    ['does not follow without pipelining', { hasPipelining: false }, 1_000, false],
    ['follows half a transaction on a connection without answers', { outstanding: 25 }, 50, true],
    ['does not follow more on a connection without answers', { outstanding: 26 }, 50, false],
    ['follows a full one after the first answer', { outstanding: 50, answeredCount: 1 }, 50, true],
    ['does not follow more than a full one', { outstanding: 51, answeredCount: 1 }, 50, false],
  ])('%s', (_, load, waitingCount, mayAsk) => {
    expect(manners.mayAskAhead({ ...fresh, ...load }, waitingCount)).toBe(mayAsk);
  });
});

describe('connections', () => {
  it('are one until the host has greeted us, then as many as the limit', () => {
    const manners = new HostManners(limits);
    expect(manners.connectionsFor(manyWaiting)).toBe(1);
    manners.onGreeting();
    expect(manners.connectionsFor(manyWaiting)).toBe(8);
  });

  it.each([
    [3, 3],
    [25, 8],
  ])('stay within the limit of a provider that allows %i: %i', (connections, count) => {
    const manners = new HostManners(limits, { connections });
    ready(manners);
    expect(manners.connectionsFor(manyWaiting)).toBe(count);
    manners.limitConnections(undefined);
    expect(manners.connectionsFor(manyWaiting)).toBe(count);
  });

  it('are worth opening for two transactions each', () => {
    const manners = new HostManners(limits);
    ready(manners);
    expect([0, 1, 100, 101, 200, 201].map((waiting) => manners.connectionsFor(waiting))).toEqual([
      0, 1, 1, 2, 2, 3,
    ]);
  });

  it('are worth opening for twelve recipients each when the host does not pipeline', () => {
    const manners = new HostManners(limits);
    ready(manners, false);
    expect([12, 13, 24, 25].map((waiting) => manners.connectionsFor(waiting))).toEqual([1, 2, 2, 3]);
  });

  it('are worth opening for as many recipients as the host takes on one', () => {
    const manners = new HostManners(limits);
    ready(manners);
    manners.limitConnection(10);
    expect([10, 11].map((waiting) => manners.connectionsFor(waiting))).toEqual([1, 2]);
  });

  it('stay within what the host bears until that limit is lifted', () => {
    const manners = new HostManners(limits);
    ready(manners);
    manners.limitConnections(3);
    expect(manners.connectionsFor(manyWaiting)).toBe(3);
    manners.limitConnections(undefined);
    expect(manners.connectionsFor(manyWaiting)).toBe(8);
  });

  it('start over after a pause', () => {
    const manners = new HostManners(limits);
    ready(manners);
    manners.pauseUntil(1_000);
    expect(manners.connectionsFor(manyWaiting)).toBe(1);
  });
});

describe('a pause', () => {
  it('takes as long as the host says', () => {
    expect(new HostManners(limits).pauseMs(7_000)).toBe(7_000);
  });

  it('doubles from half a second to a minute when the host names no time', () => {
    const manners = new HostManners(limits);
    const pauses = Array.from({ length: 9 }, () => {
      const pauseMs = manners.pauseMs(undefined);
      manners.pauseUntil(0);
      return pauseMs;
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('is never shorter when the host names a time, such as 0 seconds', () => {
    const manners = new HostManners(limits);
    expect(manners.pauseMs(0)).toBe(500);
    manners.pauseUntil(0);
    expect(manners.pauseMs(10)).toBe(1_000);
  });

  it('starts from half a second again after an answer', () => {
    const manners = new HostManners(limits);
    manners.pauseUntil(0);
    manners.onAnswer();
    expect(manners.pauseMs(undefined)).toBe(500);
  });

  it('ends at its time', () => {
    const manners = new HostManners(limits);
    expect(manners.isPaused(0)).toBe(false);
    manners.pauseUntil(1_000);
    expect(manners.isPaused(999)).toBe(true);
    expect(manners.isPaused(1_000)).toBe(false);
    expect(manners.isCalm(1_000)).toBe(false);
    expect(manners.isCalm(1_001)).toBe(true);
  });

  it('is long while more than five seconds of it are left', () => {
    const manners = new HostManners(limits);
    manners.pauseUntil(10_000);
    expect([4_999, 5_000].map((now) => manners.isPausedForLong(now))).toEqual([true, false]);
  });

  it('is repeated from the third one without an answer', () => {
    const manners = new HostManners(limits);
    expect([1, 2, 3].map(() => manners.pauseUntil(0).isRepeated)).toEqual([false, false, true]);
    manners.onAnswer();
    expect(manners.pauseUntil(0).isRepeated).toBe(false);
  });
});

describe('losses', () => {
  it('of connections are hopeless from the second one without an answer', () => {
    const manners = new HostManners(limits);
    expect(manners.onConnectionLost().isHopeless).toBe(false);
    expect(manners.onConnectionLost().isHopeless).toBe(true);
    manners.onAnswer();
    expect(manners.onConnectionLost().isHopeless).toBe(false);
  });

  it('of conversations are hopeless from the third one without an answer', () => {
    const manners = new HostManners(limits);
    expect([1, 2, 3].map(() => manners.onConversationLost().isHopeless)).toEqual([false, false, true]);
  });

  it('count from zero after the host was down', () => {
    const manners = new HostManners(limits);
    manners.onConnectionLost();
    manners.goDown(failure, 0);
    expect(manners.onConnectionLost().isHopeless).toBe(false);
  });
});

describe('a host that is down', () => {
  it('is not asked for half a minute', () => {
    const manners = new HostManners(limits);
    expect(manners.downFailure(0)).toBeUndefined();
    manners.goDown(failure, 1_000);
    expect(manners.downFailure(30_999)).toBe(failure);
    expect(manners.downFailure(31_000)).toBeUndefined();
    expect(manners.isCalm(31_000)).toBe(false);
    expect(manners.isCalm(31_001)).toBe(true);
  });

  it('is up again when a connection opens', () => {
    const manners = new HostManners(limits);
    manners.goDown(failure, 0);
    manners.onReady(true, 0);
    expect(manners.downFailure(1)).toBeUndefined();
  });
});

describe('a host that stays silent', () => {
  const silence = { ...failure, reason: 'reply_timeout' } as const;

  it('is remembered for ten minutes, or until it answers', () => {
    const manners = new HostManners(limits);
    expect(manners.wasSilent(0)).toBe(false);
    manners.goDown(silence, 0);
    expect([manners.wasSilent(599_999), manners.wasSilent(600_000)]).toEqual([true, false]);
    manners.onAnswer();
    expect(manners.wasSilent(1)).toBe(false);
  });

  it('is left alone for longer the next time', () => {
    const manners = new HostManners(limits);
    manners.goDown(silence, 0);
    expect(manners.downFailure(30_000)).toBeUndefined();
    manners.goDown(silence, 50_000);
    expect(manners.downFailure(169_999)).toBe(silence);
    expect(manners.downFailure(170_000)).toBeUndefined();
  });

  it('counts as silent when another process says so, and not when it refuses connections', () => {
    const manners = new HostManners(limits);
    manners.goDown({ ...failure, reason: 'connection_refused' }, 0);
    expect(manners.wasSilent(1)).toBe(false);
    manners.noteSilence(1_000);
    expect(manners.wasSilent(2_000)).toBe(true);
  });
});

it('encryption is used when offered, at first', () => {
  expect(new HostManners(limits).encryption).toBe('offered');
});
