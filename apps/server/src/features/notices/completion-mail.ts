import type { SendMailOptions } from 'nodemailer';
import { type Envelope, noticeMail } from './notice-mail.ts';

export interface CompleteList {
  readonly kind: 'emails' | 'people';
  readonly id: string;
  readonly name: string;
}

const paths = { emails: '/email-verification/bulk/', people: '/email-guessing/' } as const;

/** More names would hide the rest of the mail. */
const namedMax = 20;

/** One mail for all lists that completed. */
export function completionMail(
  lists: readonly CompleteList[],
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  const [first] = lists;
  const isOne = lists.length === 1;
  const unnamedCount = Math.max(0, lists.length - namedMax);
  return noticeMail(
    {
      subject: isOne ? `Your list ${first?.name} is complete` : `${lists.length} lists are complete`,
      lines: [
        isOne ? 'Your list is complete:' : 'These lists are complete:',
        ...lists.slice(0, namedMax).map(({ kind, id, name }) => `${name}\n${appUrl}${paths[kind]}${id}`),
        ...(unnamedCount > 0 ? [`And ${unnamedCount} more. You find all of them at:\n${appUrl}`] : []),
      ],
      because: 'You get this mail because you verify lists with Assay.',
    },
    envelope,
  );
}
