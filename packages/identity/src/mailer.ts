import { codeLifeMinutes } from './pending-steps.ts';

export interface Mailer {
  sendCode(to: string, code: string): Promise<void>;
  /** Sent at a sign-up with a taken address: the page must not show that it is taken, but its owner may know. */
  sendAlreadyRegistered(to: string): Promise<void>;
  close(): void;
}

interface MailerOptions {
  relayUrl: string;
  from: string;
  /** How long the relay may say nothing. A person waits at a page meanwhile. */
  silenceMaxMs?: number;
}

const defaultSilenceMaxMs = 20_000;

export async function openMailer({
  relayUrl,
  from,
  silenceMaxMs = defaultSilenceMaxMs,
}: MailerOptions): Promise<Mailer> {
  // Loaded on demand, because many installations have no relay.
  const { default: nodemailer } = await import('nodemailer');
  const relay = nodemailer.createTransport({
    url: relayUrl,
    connectionTimeout: silenceMaxMs,
    greetingTimeout: silenceMaxMs,
    socketTimeout: silenceMaxMs,
  });

  const send = async (to: string, subject: string, lines: string[]) => {
    // The address goes in as a value, not as a header to be parsed: it cannot name a second recipient.
    await relay.sendMail({ from, to: { name: '', address: to }, subject, text: `${lines.join('\n\n')}\n` });
  };

  return {
    sendCode: (to, code) =>
      send(to, `${code} is your Assay code`, [
        `Your code is ${code}`,
        `Enter it on the page that asked for it. It works for ${codeLifeMinutes} minutes.`,
        'If you did not ask for it, somebody typed your address by mistake. There is nothing to do.',
      ]),
    sendAlreadyRegistered: (to) =>
      send(to, 'You already have an Assay account', [
        'Somebody, probably you, tried to sign up for Assay with this address. It already has an account.',
        'Sign in instead. If you do not remember your password, choose "Forgot your password?" there.',
        'If it was not you, there is nothing to do: nothing has changed.',
      ]),
    close: () => relay.close(),
  };
}
