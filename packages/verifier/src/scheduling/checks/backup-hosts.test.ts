import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../clock.ts';
import { a, mx, startScriptedDns } from '../../testing/dns-server.ts';
import { answerLines } from '../../testing/raw-host.ts';
import { createVerifier } from '../../verifier.ts';

const accepted = '250 2.1.5 Ok\r\n';
const unknownUser = '550 5.1.1 User unknown\r\n';

/** What a host says about a mailbox; nothing if it hangs up instead. */
type Recipients = (local: string) => string | undefined;

interface ScriptedHost {
  says: Recipients;
  /** Hangs up on everyone. */
  isAway: boolean;
}

async function startHost(address: string, says: Recipients): Promise<{ host: ScriptedHost; range: string }> {
  const host: ScriptedHost = { says, isAway: false };
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    if (host.isAway) socket.destroy();
    else socket.write('220 mx.raw.test\r\n');
    answerLines(socket, (line) => {
      const local = /^RCPT TO:<([^@]*)@/.exec(line)?.[1];
      const reply = host.isAway ? undefined : local === undefined ? '250 Ok\r\n' : host.says(local);
      if (reply === undefined) socket.destroy();
      return reply;
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { host, range: `${address}@${(server.address() as AddressInfo).port}` };
}

/** A domain with a first host and a backup host. */
async function openDomain(says: { first: Recipients; backup: Recipients }) {
  const first = await startHost('127.0.0.1', says.first);
  const backup = await startHost('127.0.0.2', says.backup);
  const { server } = await startScriptedDns((question) => {
    const [type, name = ''] = question.split(' ');
    if (type === 'MX') return { answers: [mx(name, 'mx1.raw.test', 10), mx(name, 'mx2.raw.test', 20)] };
    if (type !== 'A') return {};
    return { answers: [a(name, name.startsWith('mx1') ? '127.0.0.1' : '127.0.0.2')] };
  });
  let passedMs = 0;
  const verifier = createVerifier({
    dns: [server],
    allowRanges: [first.range, backup.range],
    helo: 'probe.example.com',
    clock: { ...systemClock, now: () => systemClock.now() + passedMs },
  });
  onTestFinished(() => verifier.close());
  return {
    first: first.host,
    ask: (local: string) => verifier.verify(`${local}@example.com`),
    passTime: (ms: number) => {
      passedMs += ms;
    },
  };
}

const onlyJane: Recipients = (local) => (/^(?:jane|postmaster)$/.test(local) ? accepted : unknownUser);

it('a backup host that accepts everyone has not changed its answers because the first host refused a name', async () => {
  const { first, ask, passTime } = await openDomain({ first: onlyJane, backup: () => accepted });
  expect(await ask('bob')).toMatchObject({ result: 'INVALID' });
  first.isAway = true;
  expect(await ask('jane')).toMatchObject({ result: 'CATCH_ALL' });
  first.isAway = false;
  passTime(31_000);
  expect(await ask('ann')).toMatchObject({ result: 'INVALID' });
});

it('a backup host that refuses everyone has not changed its answers because the first host accepted a name', async () => {
  const { first, ask, passTime } = await openDomain({ first: onlyJane, backup: () => unknownUser });
  expect(await ask('jane')).toMatchObject({ result: 'VALID' });
  first.isAway = true;
  expect(await ask('bob')).toMatchObject({ result: 'UNKNOWN' });
  first.isAway = false;
  passTime(31_000);
  expect(await ask('jane')).toMatchObject({ result: 'VALID' });
});

it('a host that defers its proof a few times is asked again, although there is a backup host', async () => {
  let deferrals = 0;
  const slow: Recipients = (local) => {
    if (local === 'jane') return accepted;
    deferrals += 1;
    return deferrals > 3 ? unknownUser : '451 4.7.1 Slow down\r\n';
  };
  const { ask } = await openDomain({ first: slow, backup: () => accepted });
  expect(await ask('jane')).toMatchObject({ result: 'VALID' });
});

it('a backup host is asked for its own proof although the first host gave none', async () => {
  const hangsUp: Recipients = (local) => (local === 'jane' ? accepted : undefined);
  const { first, ask } = await openDomain({ first: hangsUp, backup: onlyJane });
  expect(await ask('jane')).toMatchObject({ reason: 'catch_all_unproved' });
  first.isAway = true;
  expect(await ask('jane')).toMatchObject({ result: 'VALID' });
});
