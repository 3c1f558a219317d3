import type { SendMailOptions } from 'nodemailer';
import { type Envelope, noticeMail } from './notice-mail.ts';

export interface CompleteList {
  readonly kind: 'emails' | 'people';
  readonly id: string;
  readonly name: string;
}

const paths = { emails: '/email-verification/bulk/', people: '/email-guessing/' } as const;

/** One mail for all lists that completed. */
export function completionMail(
  lists: readonly CompleteList[],
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  const [first] = lists;
  const isOne = lists.length === 1;
  return noticeMail(
    {
      subject: isOne ? `Your list ${first?.name} is complete` : `${lists.length} lists are complete`,
      lines: [
        isOne ? 'Your list is complete:' : 'These lists are complete:',
        ...lists.map(({ kind, id, name }) => `${name}\n${appUrl}${paths[kind]}${id}`),
      ],
      because: 'You get this mail because you verify lists with Assay.',
    },
    envelope,
  );
}
