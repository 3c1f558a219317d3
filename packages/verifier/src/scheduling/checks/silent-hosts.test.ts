import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryFactStore } from '../../fact-store.ts';
import { a, mx, startScriptedDns } from '../../testing/dns-server.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { createVerifier, type VerifierOptions } from '../../verifier.ts';

/** A domain whose hosts, each with an address of its own, take connections and never say a word. */
async function openSilentDomain(hostCount: number) {
  const open = new Set<Socket>();
  const connected = { count: 0 };
  const onConnection = (socket: Socket) => {
    connected.count += 1;
    open.add(socket.on('error', () => {}));
  };
  const first = createServer(onConnection).listen(0, '127.0.0.1');
  await once(first, 'listening');
  const { port } = first.address() as AddressInfo;
  const others = Array.from({ length: hostCount - 1 }, (_, index) =>
    createServer(onConnection).listen(port, `127.0.0.${index + 2}`),
  );
  await Promise.all(others.map((server) => once(server, 'listening')));
  const { server: dns } = await startScriptedDns((question) => {
    const [type, name = ''] = question.split(' ');
    if (type === 'MX')
      return {
        answers: Array.from({ length: hostCount }, (_, index) => mx(name, `mx${index + 1}.raw.test`, index)),
      };
    return type === 'A' ? { answers: [a(name, `127.0.0.${/\d+/.exec(name)?.[0]}`)] } : {};
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    for (const server of [first, ...others]) server.close();
  });
  const ask = (clock: ManualClock, options: VerifierOptions = {}) => {
    const verifier = createVerifier({
      dns: [dns],
      allowRanges: [`127.0.0.0/8@${port}`],
      helo: 'probe.example.com',
      clock,
      ...options,
    });
    onTestFinished(() => verifier.close());
    return verifier.verify('jane@example.com');
  };
  return { connected, ask };
}

const untilConnected = (connected: { count: number }, count: number) =>
  vi.waitFor(() => expect(connected.count).toBe(count), { timeout: 20_000 });

it('a host that stayed silent to one engine is soon given up by another that shares its facts', async () => {
  const { connected, ask } = await openSilentDomain(1);
  const [clock, factStore] = [new ManualClock(), createMemoryFactStore()];
  const first = ask(clock, { factStore });
  await untilConnected(connected, 1);
  await new Promise(setImmediate);
  clock.advance(60_000);
  expect(await first).toMatchObject({ result: 'UNKNOWN', reason: 'reply_timeout' });

  const second = ask(clock, { factStore });
  await untilConnected(connected, 2);
  await new Promise(setImmediate);
  clock.advance(20_000);

  expect(await second).toMatchObject({ result: 'UNKNOWN', reason: 'reply_timeout' });
});

it('a domain of twenty silent hosts is given up after the third, within two minutes', async () => {
  const { connected, ask } = await openSilentDomain(20);
  const clock = new ManualClock();
  const finding = ask(clock);
  for (const [index, waitMs] of [60_000, 20_000, 20_000].entries()) {
    await untilConnected(connected, index + 1);
    await new Promise(setImmediate);
    clock.advance(waitMs);
  }
  expect(await finding).toMatchObject({ result: 'UNKNOWN', reason: 'reply_timeout' });
  expect(connected.count).toBe(3);
});
