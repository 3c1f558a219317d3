import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createSocksServer } from '@pondwader/socks5-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { createDialGuard } from '../net/dial-guard.ts';
import { openWorld } from '../testing/world.ts';
import { dialHost } from './dial-host.ts';

/** A SOCKS5 server on loopback that notes which destinations it was given. */
async function startProxy(login?: { username: string; password: string }) {
  const asked: string[] = [];
  const proxy = createSocksServer(login === undefined ? {} : { auth: login });
  proxy.setRulesetValidator((connection) => {
    asked.push(`${connection.destAddress}`);
    return true;
  });
  const server = createServer((socket) => proxy._handleConnection(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, egress: { kind: 'socks5', host: '127.0.0.1', port, ...login } as const };
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

  it('a host that refuses, a wrong password and an absent proxy leave the address UNKNOWN', async () => {
    const { newVerifier } = await openWorld();
    const { egress } = await startProxy({ username: 'assay', password: 'secret' });
    const closed = await newVerifier({ egress }).verify('jane@closed.test');
    expect(closed).toMatchObject({ result: 'UNKNOWN', reason: 'connection_refused' });
    const wrong = newVerifier({ egress: { ...egress, password: 'wrong' } });
    expect(await wrong.verify('jane@exists.test')).toMatchObject({ result: 'UNKNOWN' });
    const absent = newVerifier({ egress: { ...egress, port: 1 } });
    expect(await absent.verify('jane@exists.test')).toMatchObject({ result: 'UNKNOWN' });
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

  it('of IPv6, hosts with IPv4 addresses only are not dialled', async () => {
    const { newVerifier } = await openWorld();
    const verifier = newVerifier({ egress: { kind: 'local', address: '::1' } });
    expect(await verifier.verify('jane@exists.test')).toMatchObject({ reason: 'connection_refused' });
  });
});
