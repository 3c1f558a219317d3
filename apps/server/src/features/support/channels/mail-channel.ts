import { sendMail } from '../../../platform/mail/send-mail.ts';
import type { CaseChannel, CaseToSend } from './case-channel.ts';

export interface MailChannelOptions {
  readonly relayUrl: string;
  readonly to: string;
  readonly from: string;
}

export const createMailChannel = ({ relayUrl, to, from }: MailChannelOptions): CaseChannel => ({
  name: 'mail',
  send: (supportCase, signal) => sendMail(relayUrl, mailOf(supportCase, { to, from }), signal),
});

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
  };
}
