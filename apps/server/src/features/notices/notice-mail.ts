import type { SendMailOptions } from 'nodemailer';

export interface Envelope {
  readonly to: string;
  readonly from: string;
  readonly id: string;
  /** Turns off mails of this kind. Mailboxes do it with one click (RFC 8058). */
  readonly unsubscribeUrl: string;
}

/** What all our notices share. The last line says why the customer gets it. */
export const noticeMail = (
  { subject, lines, because }: { subject: string; lines: readonly string[]; because: string },
  { to, from, id, unsubscribeUrl }: Envelope,
): SendMailOptions => ({
  from: { name: 'Assay', address: from },
  to: { name: '', address: to },
  subject,
  text: `${[...lines, `${because} To get no more of them:\n${unsubscribeUrl}`].join('\n\n')}\n`,
  // The same in every try, so that mailboxes can drop a duplicate if we missed the relay's answer.
  messageId: `<${id}@${from.split('@')[1]}>`,
  headers: {
    'list-unsubscribe': `<${unsubscribeUrl}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  },
});
