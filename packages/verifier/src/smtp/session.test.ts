import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { a, mx, startScriptedDns } from '../testing/dns-server.ts';
import { answerLines, verifierOfRawHost } from '../testing/raw-host.ts';
import { collect, tally, users } from '../testing/world.ts';

const polite = (line: string): string => (line.startsWith('RCPT') ? '250 OK\r\n' : '250 mx.raw.test\r\n');

describe('a conversation with an odd host', () => {
  it('anything but SMTP is a protocol error, and we send nothing', async () => {
    const heard: string[] = [];
    const verifier = await verifierOfRawHost((socket) => {
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
      answerLines(socket, (line) => void heard.push(line));
    });
    expect(await verifier.verify('jane@example.com')).toMatchObject({
      result: 'UNKNOWN',
      reason: 'protocol_error',
    });
    expect(heard).toEqual([]);
  });

  it('a reply without a command is a protocol error', async () => {
    const verifier = await verifierOfRawHost((socket) => socket.write('220 mx.raw.test\r\n250 surprise\r\n'));
    expect(await verifier.verify('jane@example.com')).toMatchObject({ reason: 'protocol_error' });
  });

  it.each(['550-5.1.1 User unknown\r\n250 OK\r\n', '250-OK\r\n550 5.1.1 User unknown\r\n'])(
    'a reply that is both yes and no proves nothing: %j',
    async (reply) => {
      const verifier = await verifierOfRawHost((socket) => {
        socket.write('220 mx.raw.test\r\n');
        answerLines(socket, (line) => {
          if (line.startsWith('RCPT TO:<jane@')) return reply;
          const isMissing = line.startsWith('RCPT') && !line.startsWith('RCPT TO:<postmaster@');
          return isMissing ? '550 5.1.1 No such user\r\n' : '250 OK\r\n';
        });
      });
      expect(await verifier.verify('jane@example.com')).toMatchObject({
        result: 'UNKNOWN',
        reason: 'protocol_error',
      });
    },
  );

  it('plain text behind the reply to STARTTLS is never read as a reply', async () => {
    const afterTls: string[] = [];
    const verifier = await verifierOfRawHost((socket) => {
      socket.write('220 mx.raw.test\r\n');
      answerLines(socket, (line) => {
        if (line.startsWith('EHLO')) return '250-mx.raw.test\r\n250 STARTTLS\r\n';
        if (line === 'STARTTLS')
          return '220 go ahead\r\n250 smuggled\r\n250 2.1.0 smuggled\r\n250 2.1.5 smuggled\r\n';
        afterTls.push(line);
        return line.startsWith('RCPT TO:<jane') ? '550 5.1.1 User unknown\r\n' : '250 OK\r\n';
      });
    });
    expect(await verifier.verify('jane@example.com')).toMatchObject({ reason: 'no_such_mailbox' });
    expect(afterTls[0]).toMatch(/^MAIL/);
  });

  it.each([
    ['STARTTLS', undefined],
    ['the handshake', '220 go ahead\r\n'],
  ])('a host that falls silent at %s is asked without encryption', async (_, reply) => {
    const verifier = await verifierOfRawHost(
      (socket) => {
        socket.write('220 mx.raw.test\r\n');
        let isSilent = false;
        answerLines(socket, (line) => {
          if (isSilent) return undefined;
          if (line.startsWith('EHLO')) return '250-mx.raw.test\r\n250 STARTTLS\r\n';
          isSilent = line === 'STARTTLS';
          if (isSilent) return reply;
          return line.startsWith('RCPT TO:<jane') ? '550 5.1.1 User unknown\r\n' : '250 OK\r\n';
        });
      },
      { timeouts: { tlsMs: 200, ...(reply === undefined && { commandMs: 2_000 }) } },
    );
    expect(await verifier.verify('jane@example.com')).toMatchObject({ reason: 'no_such_mailbox' });
  });

  it.each([
    [
      'accepts',
      (line: string) =>
        /^RCPT TO:<(?:jane|joe|postmaster)@/.test(line) || !line.startsWith('RCPT')
          ? '250 OK\r\n'
          : '550 5.1.1 User unknown\r\n',
    ],
    [
      'refuses',
      (line: string) => (line.startsWith('RCPT TO:<j') ? '550 5.1.1 User unknown\r\n' : '250 OK\r\n'),
    ],
    [
      'blocks',
      (line: string) => (line.startsWith('RCPT') ? '554 5.7.1 Blocked using a list\r\n' : '250 OK\r\n'),
    ],
    ['hangs up on', () => '421 closing\r\n'],
  ])(
    'evidence of a host that %s everyone names it as the MX records of the domain do, not as those of another',
    async (_, says) => {
      const { server } = await startScriptedDns((question) => {
        const [type, name = ''] = question.split(' ');
        if (type === 'MX') return { answers: [mx(name, `mail.${name}`)] };
        return type === 'A' ? { answers: [a(name, '127.0.0.1')] } : {};
      });
      const verifier = await verifierOfRawHost(
        (socket) => {
          socket.write('220 hoster\r\n');
          answerLines(socket, says);
        },
        { dns: [server] },
      );
      for (const [email, host] of [
        ['jane@one.test', 'mail.one.test'],
        ['joe@two.test', 'mail.two.test'],
      ] as const) {
        const { evidence } = await verifier.verify(email, { deferrals: 'return' });
        const hosts = evidence.flatMap((stage) => stage.host ?? []);
        expect(new Set(hosts)).toEqual(new Set([host]));
      }
    },
  );

  it('encrypts when the host demands it without offering it', async () => {
    const heard: string[] = [];
    const verifier = await verifierOfRawHost((socket) => {
      socket.write('220 mx.raw.test\r\n');
      answerLines(socket, (line) => {
        heard.push(line);
        if (line.startsWith('MAIL')) return '530 5.7.0 Must issue a STARTTLS command first\r\n';
        return line === 'STARTTLS' ? '454 TLS not available\r\n' : '250 OK\r\n';
      });
    });
    expect(await verifier.verify('jane@example.com')).toMatchObject({
      result: 'UNKNOWN',
      reason: 'tls_failed',
    });
    expect(heard).toContain('STARTTLS');
  });

  it('UNKNOWN when the host refuses our sender, in every transaction', async () => {
    const verifier = await verifierOfRawHost((socket) => {
      socket.write('220 mx.raw.test\r\n');
      answerLines(socket, (line) => {
        if (line.startsWith('EHLO')) return '250-mx.raw.test\r\n250 PIPELINING\r\n';
        if (line.startsWith('MAIL')) return '550 5.1.1 mailbox of the sender does not exist\r\n';
        return line.startsWith('RCPT') ? '503 5.5.1 MAIL first\r\n' : '250 OK\r\n';
      });
    });
    for (const email of ['jane@example.com', 'john@example.com']) {
      expect(await verifier.verify(email)).toMatchObject({ result: 'UNKNOWN', reason: 'sender_refused' });
    }
  });

  it('commands are ASCII, and end in CR LF and nothing else', async () => {
    let bytes = '';
    const verifier = await verifierOfRawHost((socket) => {
      socket.write('220 mx.raw.test\r\n');
      socket.on('data', (chunk) => {
        bytes += chunk.toString('latin1');
      });
      answerLines(socket, polite);
    });
    await verifier.verify('"jane doe"@bücher.example');
    expect(bytes.split('\r\n').slice(0, 3)).toEqual([
      'EHLO probe.example.com',
      'MAIL FROM:<verify@probe.example.com>',
      'RCPT TO:<"jane doe"@xn--bcher-kva.example>',
    ]);
    expect(bytes).toMatch(/^(?:[ -~]+\r\n)+$/);
  });

  it('an address with characters that IDNA drops does not shift the answers to others', async () => {
    const verifier = await verifierOfRawHost((socket) => {
      socket.write('220 mx.raw.test\r\n');
      answerLines(socket, (line) => {
        if (line.startsWith('EHLO')) return '250-mx.raw.test\r\n250 PIPELINING\r\n';
        if (/^(?:MAIL|RSET|QUIT|RCPT TO:<(?:jane|postmaster)@example\.com>)/.test(line)) return '250 OK\r\n';
        return line.startsWith('RCPT') ? '550 5.1.1 User unknown\r\n' : '500 5.5.2 Unknown command\r\n';
      });
    });
    const addresses = ['jane@\ufe0d\ufe0aexample.com', 'jane@example.com', 'nobody@example.com'];
    const findings = await collect(verifier.verifyAll(addresses));
    expect(Object.fromEntries(findings.map(({ email, result }) => [email, result]))).toEqual({
      'jane@\ufe0d\ufe0aexample.com': 'VALID',
      'jane@example.com': 'VALID',
      'nobody@example.com': 'INVALID',
    });
  });

  it('a host that hangs up after three recipients, on several connections at once, is not down', async () => {
    let leaving: Socket[] = [];
    const hangUp = () => {
      for (const socket of leaving) socket.destroy();
      leaving = [];
    };
    const verifier = await verifierOfRawHost((socket) => {
      let recipientCount = 0;
      socket.write('220 mx.raw.test\r\n');
      answerLines(socket, (line) => {
        if (!line.startsWith('RCPT')) return '250 OK\r\n';
        recipientCount += 1;
        if (recipientCount > 3) {
          if (leaving.push(socket) === 4) hangUp();
          else setTimeout(hangUp, 300);
          return undefined;
        }
        return /^RCPT TO:<(?:user|postmaster)/.test(line) ? '250 OK\r\n' : '550 5.1.1 User unknown\r\n';
      });
    });
    const findings = await collect(verifier.verifyAll(users(100, 'example.com')));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 100 });
  });

  it('uses an idle connection again, and opens a new one if the host has closed it', async () => {
    let connections = 0;
    const verifier = await verifierOfRawHost((socket) => {
      connections += 1;
      socket.write('220 mx.raw.test\r\n');
      let recipients = 0;
      answerLines(socket, (line) => {
        // The fourth recipient finds the door shut.
        if (line.startsWith('RCPT') && ++recipients > 3) socket.destroy();
        return polite(line);
      });
    });
    expect(await verifier.verify('a@example.com')).toMatchObject({ result: 'CATCH_ALL' });
    expect(connections).toBe(1);
    expect(await verifier.verify('b@example.com')).toMatchObject({ result: 'CATCH_ALL' });
    expect(connections).toBe(2);
  });
});
