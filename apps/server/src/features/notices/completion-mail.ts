import type { SendMailOptions } from 'nodemailer';
import { type Envelope, noticeMail } from './notice-mail.ts';

export interface CompleteList {
  readonly kind: 'emails' | 'people';
  readonly id: string;
  readonly name: string;
  /** The results by their names, such as Valid. */
  readonly counts: readonly { readonly name: string; readonly count: number }[];
  readonly chargedCredits: number;
}

const paths = { emails: '/email-verification/bulk/', people: '/email-guessing/' } as const;
const numbers = new Intl.NumberFormat('en-US');

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
  const urlOf = ({ kind, id }: CompleteList) => `${appUrl}${paths[kind]}${id}`;
  return noticeMail(
    {
      subject: isOne ? `Your list ${first?.name} is complete` : `${lists.length} lists are complete`,
      ...(isOne && { title: 'Your list is complete' }),
      paragraphs:
        unnamedCount > 0 ? [`These are ${namedMax} of them. ${unnamedCount} more are in Assay.`] : [],
      items: lists
        .slice(0, namedMax)
        .map((list) => ({ name: list.name, url: urlOf(list), facts: factsOf(list) })),
      action:
        isOne && first
          ? { label: 'See the results', url: urlOf(first) }
          : { label: 'See your lists', url: `${appUrl}/email-verification/bulk` },
      because: 'You get this mail because you verify lists with Assay.',
    },
    envelope,
  );
}

const factsOf = ({ counts, chargedCredits }: CompleteList) => [
  ...counts
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => ({ name, value: numbers.format(count) })),
  { name: 'Credits charged', value: numbers.format(chargedCredits) },
];
