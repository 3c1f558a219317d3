import nodemailer from 'nodemailer';
import type { CaseChannel, CaseToSend } from './case-channel.ts';

export interface MailChannelOptions {
  readonly relayUrl: string;
  readonly to: string;
  readonly from: string;
}

/** Time-out of the relay. */
const silenceMaxMs = 20_000;

export function createMailChannel({ relayUrl, to, from }: MailChannelOptions): CaseChannel {
  return {
    name: 'mail',
    send: async (supportCase, signal) => {
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
        await relay.sendMail(mailOf(supportCase, { to, from }));
      } catch (error) {
        throw new Error(problemOf(error));
      } finally {
        signal.removeEventListener('abort', leaveOff);
        relay.close();
      }
    },
  };
}

function mailOf(
  { id, subject, description, createdAt, customer }: CaseToSend,
  { to, from }: Pick<MailChannelOptions, 'to' | 'from'>,
) {
  const name = `${customer.first_name} ${customer.last_name}`.trim();
  const lines = [
    description,
    '',
    `Name      ${name || 'not given'}`,
    `Email     ${customer.email_address}`,
    `Phone     ${customer.phone ?? 'not given'}`,
    `Customer  ${customer.id}`,
    `Asked     ${createdAt.toISOString()}`,
    `Case      ${id}`,
  ];
  return {
    from: { name: 'Assay', address: from },
    to: { name: '', address: to },
    // A reply goes to the customer.
    replyTo: { name, address: customer.email_address },
    subject: name ? `${subject}: ${name}` : subject,
    text: `${lines.join('\n')}\n`,
    // The same in every try, so that mailboxes can drop a duplicate if we missed the relay's answer.
    messageId: `<${id}@${from.split('@')[1]}>`,
    date: createdAt,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}

/** Libraries put addresses into their messages, so we keep only the reply code. */
function problemOf(error: unknown): string {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode
    ? `The relay refused the mail with ${responseCode}.`
    : `The relay could not be reached (${code ?? 'no reason given'}).`;
}
