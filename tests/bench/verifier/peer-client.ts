// Runs one verifier from npm over a file of addresses: node peer-client.ts NAME FILE IN_FLIGHT DNS SMTP_PORT.
// None of them has options for both a DNS server and a port, so this process redirects them: its resolver asks
// the mail world, and a connection to port 25 goes to the world's port. Host names, which Node looks up with the system's
// resolver, four at a time, are looked up in the world once and cached, which is in the peers' favour.

import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type LookupFunction, Socket, type TcpSocketConnectOpts } from 'node:net';

const [, , peerName = '', file = '', inFlight = '', dnsServer = '', smtpPort = ''] = process.argv;

dns.setServers([dnsServer]);
const known = new Map<string, Promise<string[]>>();
const lookup: LookupFunction = (name, options, done) => {
  let addresses = known.get(name);
  if (!addresses) {
    addresses = dns.promises.resolve4(name);
    known.set(name, addresses);
  }
  addresses.then(
    ([address = '']) => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)),
    (error) => done(error, '', 4),
  );
};
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...parameters: unknown[]) {
  // net.connect passes its arguments as an array, the options first.
  const options = (Array.isArray(parameters[0]) ? parameters[0][0] : parameters[0]) as TcpSocketConnectOpts;
  if (options.port === 25) Object.assign(options, { port: Number(smtpPort), lookup });
  return Reflect.apply(connect, this, parameters);
} as typeof connect;

type Verify = (email: string) => Promise<'VALID' | 'INVALID' | 'UNKNOWN'>;

const load = createRequire(new URL('../peers/package.json', import.meta.url));
const fromAnswer = (answer: boolean | null | undefined) =>
  answer === true ? 'VALID' : answer === false ? 'INVALID' : 'UNKNOWN';

/** Calls each peer with everything but the mailbox question turned off, and maps its answer. */
const peers: Record<string, () => Verify> = {
  'deep-email-validator': () => {
    const { validate } = load('deep-email-validator');
    return async (email) => {
      const options = { email, sender: 'probe@bench.test', validateTypo: false, validateDisposable: false };
      const { valid, validators } = await validate(options);
      return fromAnswer(valid || (validators.smtp?.reason === 'Mailbox not found.' ? false : null));
    };
  },
  '@devmehq/email-validator-js': () => {
    const { verifyEmail } = load('@devmehq/email-validator-js');
    return async (emailAddress) => {
      const { validSmtp } = await verifyEmail({
        emailAddress,
        verifyMx: true,
        verifySmtp: true,
        timeout: 10_000,
      });
      return fromAnswer(validSmtp);
    };
  },
  'email-verify': () => {
    const { verify, verifyCodes } = load('email-verify');
    return (email) =>
      new Promise((resolve) => {
        const options = { sender: 'probe@bench.test', fqdn: 'bench.test', timeout: 10_000 };
        verify(
          email,
          options,
          (_: unknown, answer: { success: boolean; code: number; tryagain?: boolean }) => {
            const isFinal = answer.code === verifyCodes.finishedVerification && !answer.tryagain;
            resolve(fromAnswer(isFinal ? answer.success : null));
          },
        );
      });
  },
  'email-deep-validator': () => {
    const EmailValidator = load('email-deep-validator');
    const validator = new EmailValidator();
    return async (email) => fromAnswer((await validator.verify(email)).validMailbox);
  },
};

const verify = peers[peerName]?.();
if (!verify) throw new Error(`${peerName} is not one of ${Object.keys(peers).join(', ')}`);
const emails = readFileSync(file, 'utf8').trimEnd().split('\n').values();
await Promise.all(
  Array.from({ length: Number(inFlight) }, async () => {
    for (const email of emails) {
      const result = await verify(email);
      process.stdout.write(`${JSON.stringify({ email, result })}\n`);
    }
  }),
);
