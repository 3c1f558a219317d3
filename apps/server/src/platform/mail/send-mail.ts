import type { SendMailOptions, Transporter } from 'nodemailer';

/** Time-out of the relay. */
const silenceMaxMs = 20_000;

/** Gives a mail to the relay. Errors contain no addresses. */
export const sendMail = (relayUrl: string, mail: SendMailOptions, signal: AbortSignal): Promise<void> =>
  withRelay(relayUrl, signal, async (relay) => {
    await relay.sendMail({ ...mail, headers: { 'auto-submitted': 'auto-generated', ...mail.headers } });
  });

/** Connects and signs in as for a mail, and sends none. */
export const checkRelay = (relayUrl: string, signal: AbortSignal): Promise<void> =>
  withRelay(relayUrl, signal, async (relay) => {
    await relay.verify();
  });

async function withRelay(
  relayUrl: string,
  signal: AbortSignal,
  work: (relay: Transporter) => Promise<void>,
): Promise<void> {
  // Late, because most processes send no mail.
  const { default: nodemailer } = await import('nodemailer');
  signal.throwIfAborted();
  const relay = nodemailer.createTransport({
    url: relayUrl,
    connectionTimeout: silenceMaxMs,
    greetingTimeout: silenceMaxMs,
    socketTimeout: silenceMaxMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const leaveOff = () => relay.close();
  signal.addEventListener('abort', leaveOff);
  try {
    await work(relay);
  } catch (error) {
    throw isMailboxGone(error) ? new NoSuchMailbox() : new Error(problemOf(error));
  } finally {
    signal.removeEventListener('abort', leaveOff);
    relay.close();
  }
}

/** The relay refused the recipient for good: the mailbox does not exist or is disabled. Another try would not help. */
export class NoSuchMailbox extends Error {
  override readonly name = 'NoSuchMailbox';

  constructor() {
    super('The relay knows no such mailbox.');
  }
}

// RFC 3463: 5.1.1 is an unknown mailbox, 5.2.1 a disabled one. 5.1.10 is a null MX (RFC 7505), and Exchange sends it for
// unknown mailboxes too. A 550 without these codes may be about us.
const goneReply = /^5\d\d[ -]5\.(?:1\.1|1\.10|2\.1)(?!\d)/;

function isMailboxGone(error: unknown): boolean {
  const { command, response } = error as { command?: string; response?: string };
  return command === 'RCPT TO' && goneReply.test(response ?? '');
}

/** Libraries put addresses into their messages, so we keep only the reply code. */
function problemOf(error: unknown): string {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode
    ? `The relay refused the mail with ${responseCode}.`
    : `The relay could not be reached (${code ?? 'no reason given'}).`;
}
