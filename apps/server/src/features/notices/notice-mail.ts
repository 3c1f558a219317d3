import { type MailContent, writeMail } from '@assay/pages/mail';
import type { SendMailOptions } from 'nodemailer';

export interface Envelope {
  readonly to: string;
  readonly from: string;
  readonly id: string;
  /** Turns off mails of this kind. Mailboxes do it with one click (RFC 8058). Null for mails that cannot be turned off. */
  readonly unsubscribeUrl: string | null;
}

type Notice = Omit<MailContent, 'title' | 'unsubscribe'> & {
  readonly subject: string;
  /** The subject if there is none. */
  readonly title?: string;
};

/** What all our notices share. The last lines say why the customer gets it. */
export function noticeMail(notice: Notice, { to, from, id, unsubscribeUrl }: Envelope): SendMailOptions {
  const { subject, title = subject, ...content } = notice;
  const unsubscribe =
    unsubscribeUrl === null ? undefined : { label: 'Stop these mails', url: unsubscribeUrl };
  return {
    from: { name: 'Assay', address: from },
    to: { name: '', address: to },
    subject,
    ...writeMail({ ...content, title, ...(unsubscribe && { unsubscribe }) }),
    // The same in every try, so that mailboxes can drop a duplicate if we missed the relay's answer.
    messageId: `<${id}@${from.split('@')[1]}>`,
    ...(unsubscribeUrl !== null && {
      headers: {
        'list-unsubscribe': `<${unsubscribeUrl}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      },
    }),
  };
}
