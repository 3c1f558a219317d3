import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createSocksServer } from '@pondwader/socks5-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { createDialGuard } from '../net/dial-guard.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { collect, openWorld } from '../testing/world.ts';
import { dialHost } from './dial-host.ts';

/** A SOCKS5 server on loopback that notes which destinations it was given. */
async function startProxy(login?: { username: string; password: string }) {
  const asked: string[] = [];
  const proxy = createSocksServer(login === undefined ? {} : { auth: login });
  proxy.setRulesetValidator((connection) => {
    asked.push(`${connection.destAddress}`);
    return true;
  });
  const state = { isAway: false, hungUpCount: 0 };
  const server = createServer((socket) => {
    if (!state.isAway) return proxy._handleConnection(socket);
    // As a port forwarder does whose proxy is away.
    state.hungUpCount += 1;
    return void socket.on('error', () => {}).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, state, egress: { kind: 'socks5', host: '127.0.0.1', port, ...login } as const };
}

describe('through a SOCKS5 proxy', () => {
  it('hosts are asked as directly, STARTTLS included, and the proxy is given addresses only', async () => {
    const { world, newVerifier } = await openWorld();
    const { egress, asked } = await startProxy({ username: 'assay', password: 'secret' });
    const verifier = newVerifier({ egress });
    expect(await verifier.verify('jane@exists.test')).toMatchObject({ result: 'VALID' });
    expect(await verifier.verify('nobody@exists.test')).toMatchObject({ reason: 'no_such_mailbox' });
    expect(await verifier.verify('jane@starttls-only.test')).toMatchObject({ result: 'VALID' });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((destination) => destination.startsWith('127.'))).toBe(true);
    expect(asked).toContain(world.addressOf('mx.exists.test'));
  });

  it('the guard forbids private addresses before the proxy hears of them', async () => {
    const { newVerifier } = await openWorld();
    const { egress, asked } = await startProxy();
    const verifier = newVerifier({ egress, allowRanges: [] });
    expect(await verifier.verify('jane@exists.test')).toMatchObject({ reason: 'mail_host_forbidden' });
    expect(asked).toEqual([]);
  });

  it('a host that refuses leaves the address UNKNOWN', async () => {
    const { newVerifier } = await openWorld();
    const { egress } = await startProxy();
    const closed = await newVerifier({ egress }).verify('jane@closed.test', { deferrals: 'return' });
    expect(closed).toMatchObject({ kind: 'verdict', result: 'UNKNOWN', reason: 'connection_refused' });
  });

  it.each<[string, { isAway?: boolean; port?: number; password?: string }]>([
    ['is away', { port: 1 }],
    ['does not take our password', { password: 'wrong' }],
    ['takes the connection and hangs up', { isAway: true }],
  ])(
    'a proxy that %s is our own trouble: the address is put off, and no backup host is asked',
    async (_, { isAway = false, ...change }) => {
      const { newVerifier } = await openWorld();
      const { egress, state } = await startProxy({ username: 'assay', password: 'secret' });
      state.isAway = isAway;
      const verifier = newVerifier({ egress: { ...egress, ...change } });
      const [first, second] = await collect(
        verifier.verifyAll(['jane@exists.test', 'jane@two-hosts.test'], { deferrals: 'return' }),
      );
      for (const finding of [first, second]) {
        expect(finding).toMatchObject({ kind: 'try_again', reason: 'connection_timeout', deferralCount: 1 });
        expect(finding?.evidence).toEqual([
          expect.objectContaining({ stage: 'dns' }),
          expect.objectContaining({
            stage: 'connect',
            note: 'our egress is away; the mail host was not asked',
          }),
        ]);
      }
      expect(await verifier.verify('jane@exists.test', { patienceMs: 0 })).toMatchObject({
        kind: 'verdict',
        result: 'UNKNOWN',
        reason: 'connection_timeout',
      });
    },
  );

  it('a proxy that comes back within our patience is used', async () => {
    const { newVerifier } = await openWorld();
    const proxy = await startProxy();
    proxy.state.isAway = true;
    const clock = new ManualClock();
    const finding = newVerifier({ egress: proxy.egress, clock }).verify('jane@exists.test');
    await expect.poll(() => proxy.state.hungUpCount, { timeout: 20_000 }).toBe(1);
    // The only thing left to wait for is the next attempt.
    await expect.poll(() => clock.timerCount, { timeout: 20_000 }).toBe(1);
    proxy.state.isAway = false;
    clock.advance(5_000);
    expect(await finding).toMatchObject({ result: 'VALID' });
  });
});

describe('from a local address', () => {
  it('hosts see that address', async () => {
    const seen = Promise.withResolvers<string | undefined>();
    const host = createServer((socket) => {
      seen.resolve(socket.remoteAddress);
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    onTestFinished(() => void host.close());
    dialHost({
      ips: ['127.0.0.1'],
      firstIp: 0,
      guard: createDialGuard((host.address() as AddressInfo).port, ['127.0.0.0/8']),
      egress: { kind: 'local', address: '127.0.0.2' },
      clock: systemClock,
      timeoutMs: 20_000,
      onConnected: (socket) => void socket.on('error', () => {}),
      onBytes: () => {},
      onFailed: (failure) => seen.reject(new Error(failure)),
    });
    expect(await seen.promise).toBe('127.0.0.2');
  });

  it('that the machine does not have, the address is put off', async () => {
    const { newVerifier } = await openWorld();
    const verifier = newVerifier({ egress: { kind: 'local', address: '203.0.113.77' } });
    expect(await verifier.verify('jane@exists.test', { deferrals: 'return' })).toMatchObject({
      kind: 'try_again',
      reason: 'connection_timeout',
    });
  });

  it('of IPv6, hosts with IPv4 addresses only are not dialled', async () => {
    const { newVerifier } = await openWorld();
    const verifier = newVerifier({ egress: { kind: 'local', address: '::1' } });
    expect(await verifier.verify('jane@exists.test')).toMatchObject({ reason: 'connection_refused' });
  });
});
