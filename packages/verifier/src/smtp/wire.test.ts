import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDialGuard } from '../net/dial-guard.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { anyLocalAddress } from './egress.ts';
import { ReadTurns } from './read-turns.ts';
import { Wire, type WireOwner } from './wire.ts';

/** Turns that come only when the test says so. */
class TestTurns extends ReadTurns {
  readonly reads: (() => void)[] = [];
  override add(read: () => void): void {
    this.reads.push(read);
  }
}

/** A wire to a host that the test plays, whose owner waits for this many replies. */
async function openWire(dueCount: number) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const events: string[] = [];
  const clock = new ManualClock();
  const readTurns = new TestTurns();
  const owner: WireOwner = {
    dueCount,
    onConnected: (ip) => events.push(`connected to ${ip}`),
    onDialFailed: (failure) => events.push(failure),
    onReply: (code, text, isUnasked) => events.push(`${code} ${text}${isUnasked ? ' (unasked)' : ''}`),
    onRead: ({ replyCount }) => events.push(`read ${replyCount}`),
    onEncrypted: () => events.push('encrypted'),
    onClosed: () => events.push('closed'),
    onLate: () => events.push('late'),
  };
  const guard = createDialGuard(25, [`127.0.0.1@${port}`]);
  const wire = new Wire({ guard, egress: anyLocalAddress, clock, readTurns }, owner);
  wire.connect(['127.0.0.1'], 0, 1_000);
  const [host] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    wire.destroy();
    host.destroy();
    server.close();
  });
  await expect.poll(() => events.length).toBe(1);
  return { wire, host, events, clock, readTurns, owner };
}

describe('the wire below a session', () => {
  it('hands out the replies of a short read at once', async () => {
    const { host, events, readTurns } = await openWire(1);
    host.write('250 OK\r\n250 surprise\r\n');
    await expect.poll(() => events).toContain('read 2');
    expect(events).toEqual(['connected to 127.0.0.1', '250 OK', '250 surprise (unasked)', 'read 2']);
    expect(readTurns.reads).toEqual([]);
  });

  it('lets a read that may answer many commands wait for its turn', async () => {
    const { host, events, readTurns } = await openWire(5);
    host.write('250 OK\r\n');
    await expect.poll(() => readTurns.reads.length).toBe(1);
    expect(events).toEqual(['connected to 127.0.0.1']);
    readTurns.reads[0]?.();
    expect(events.slice(1)).toEqual(['250 OK', 'read 1']);
  });

  it('counts a reply as unasked if no command was open for it when it arrived, whatever was sent since', async () => {
    const { host, events, readTurns, owner } = await openWire(5);
    host.write('250 OK\r\n'.repeat(6));
    await expect.poll(() => readTurns.reads.length).toBe(1);
    Object.assign(owner, { dueCount: 8 });
    readTurns.reads[0]?.();
    expect(events.slice(-2)).toEqual(['250 OK (unasked)', 'read 6']);
  });

  it('counts such a reply as unasked although more arrives before its turn', async () => {
    const { wire, host, events, clock, readTurns, owner } = await openWire(5);
    host.write('250 OK\r\n'.repeat(6));
    await expect.poll(() => readTurns.reads.length).toBe(1);
    Object.assign(owner, { dueCount: 8 });
    clock.advance(1);
    host.write('250 answer\r\n');
    await expect.poll(() => wire.readAt).toBe(clock.now());
    readTurns.reads[0]?.();
    expect(events.slice(-3)).toEqual(['250 OK (unasked)', '250 answer', 'read 7']);
  });

  it('hands out replies that wait before it says that the host has closed', async () => {
    const { host, events } = await openWire(5);
    host.end('250 OK\r\n550 unknown\r\n');
    await expect.poll(() => events).toContain('closed');
    expect(events.slice(1, 5)).toEqual(['250 OK', '550 unknown', 'read 2', 'closed']);
  });

  it('is not late while replies wait, but is while they only begin', async () => {
    const { wire, host, events, clock, readTurns } = await openWire(5);
    wire.setDeadline(100);
    host.write('250 OK\r\n');
    await expect.poll(() => readTurns.reads.length).toBe(1);
    clock.advance(100);
    expect(events.slice(1)).toEqual(['250 OK', 'read 1']);
    wire.setDeadline(100);
    host.write('25');
    await expect.poll(() => readTurns.reads.length).toBe(2);
    clock.advance(100);
    expect(events.slice(3)).toEqual(['read 0', 'late']);
  });

  it('reads more than 262,144 characters without waiting for its turn', async () => {
    const { host, events } = await openWire(5);
    host.write(`250 ${'x'.repeat(262_144)}\r\n`);
    await expect.poll(() => events.some((event) => event.startsWith('read'))).toBe(true);
  });

  it('sends commands at the end of the turn, and none after its end', async () => {
    const { wire, host } = await openWire(1);
    let heard = '';
    host.on('data', (bytes) => {
      heard += bytes;
    });
    wire.send('RSET\r\n', 'latin1');
    wire.send('MAIL FROM:<>\r\n', 'latin1');
    await expect.poll(() => heard).toBe('RSET\r\nMAIL FROM:<>\r\n');
    wire.send('RCPT TO:<ü@example.com>\r\n', 'utf8');
    await expect.poll(() => heard).toContain('ü@');
    wire.send('NOOP\r\n', 'latin1');
    wire.destroy();
    await once(host, 'close');
    expect(heard).not.toContain('NOOP');
  });
});
