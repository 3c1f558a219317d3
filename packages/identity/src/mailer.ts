import { type MailContent, writeMail } from '@assay/pages/mail';
import { codeLifeMinutes } from './store/pending-steps.ts';

export interface Mailer {
  sendCode(to: string, code: string): Promise<void>;
  /** Sent at a sign-up with a taken address: the page must not show that it is taken, but its owner may know. */
  sendAlreadyRegistered(to: string): Promise<void>;
  sendPasswordChanged(to: string, account: { isTwoStepOn: boolean }): Promise<void>;
  sendSecurityChange(to: string, change: SecurityChange & { isOn: boolean }): Promise<void>;
  close(): void;
}

/** What changed about the second step of an account's sign-in, and whether it was on before. */
export interface SecurityChange {
  what: keyof typeof securityWords;
  /** Of a passkey. */
  name?: string;
  wasOn: boolean;
}

const securityWords = {
  authenticator_added: 'An authenticator app was added',
  authenticator_removed: 'The authenticator app was removed',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  recovery_code_used: 'A recovery code was used',
  recovery_codes_renewed: 'New recovery codes were created',
} as const;

const becauseOfSecurity =
  'You get this mail because it concerns the security of your account. Such mails cannot be turned off.';

/** Whoever added a second factor of their own has locked the owner out, and a new password asks for that factor too. */
const lockedOut =
  'If you cannot sign in because the second step is not yours, write to the people who run this installation of Assay: they can turn it off.';

interface MailerOptions {
  relayUrl: string;
  from: string;
  /** The web app. */
  homeUrl: string;
  /** How long the relay may say nothing. A person waits at a page meanwhile. */
  silenceMaxMs?: number;
}

const defaultSilenceMaxMs = 20_000;

export async function openMailer({
  relayUrl,
  from,
  homeUrl,
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

  const send = async (to: string, subject: string, content: MailContent) => {
    // The address goes in as a value, not as a header to be parsed: it cannot name a second recipient.
    await relay.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      headers: { 'auto-submitted': 'auto-generated' },
      ...writeMail(content),
    });
  };

  return {
    sendCode: (to, code) =>
      send(to, `${code} is your Assay code`, {
        title: `Your code is ${code}`,
        paragraphs: [`Enter it on the page that asked for it. It works for ${codeLifeMinutes} minutes.`],
        because:
          'You get this mail because somebody typed your address at Assay. If it was not you, there is nothing to do.',
      }),
    sendAlreadyRegistered: (to) =>
      send(to, 'You already have an Assay account', {
        title: 'You already have an account',
        paragraphs: [
          'Somebody, probably you, tried to sign up for Assay with this address. It already has an account.',
          'Sign in instead. If you do not remember your password, choose "Forgot your password?" there.',
        ],
        action: { label: 'Sign in', url: homeUrl },
        because:
          'You get this mail because your address was typed at a sign-up. If it was not you, there is nothing to do: nothing has changed.',
      }),
    sendPasswordChanged: (to, { isTwoStepOn }) =>
      send(to, 'Your Assay password was changed', {
        title: 'Your password was changed',
        paragraphs: [
          'A new password was chosen on our sign-in page, and every other session has ended.',
          'If it was not you, choose another one now: "Forgot your password?" on the sign-in page sends you a code.',
          ...(isTwoStepOn ? [lockedOut] : []),
        ],
        action: { label: 'Go to Assay', url: homeUrl },
        because: becauseOfSecurity,
      }),
    sendSecurityChange: (to, { what, name, wasOn, isOn }) => {
      const happened = securityWords[what];
      const state = `Two-step verification was turned ${isOn ? 'on' : 'off'}`;
      const title = wasOn === isOn ? happened : state;
      return send(to, `${title} at Assay`, {
        title,
        paragraphs: [
          `${happened}${name === undefined ? '' : `: ${name}`}. ${
            isOn
              ? 'A sign-in with your password asks for a second step.'
              : 'Your password alone signs you in now.'
          }`,
          ...(isOn
            ? [
                'If it was not you, choose a new password and end all other sessions on the Account page, in a browser that is still signed in.',
                lockedOut,
              ]
            : [
                'If it was not you, choose a new password now ("Forgot your password?" on the sign-in page) and end all sessions on the Account page.',
              ]),
        ],
        action: { label: 'Go to your account', url: new URL('account', homeUrl).href },
        because: becauseOfSecurity,
      });
    },
    close: () => relay.close(),
  };
}
