import type { SendMailOptions } from 'nodemailer';
import { type Envelope, noticeMail } from './notice-mail.ts';

export interface EndedList {
  readonly kind: 'emails' | 'people';
  readonly id: string;
  readonly name: string;
  /** The results by their names, such as Valid. */
  readonly counts: readonly { readonly name: string; readonly count: number }[];
  readonly chargedCredits: number;
  /** Why its rows could not be copied; null for a list that is complete. */
  readonly problem: string | null;
}

const paths = { emails: '/email-verification/bulk/', people: '/email-guessing/' } as const;
const numbers = new Intl.NumberFormat('en-US');

/** More names would hide the rest of the mail. */
const namedMax = 20;

/** One mail for all lists that completed or failed. */
export function endedListsMail(
  lists: readonly EndedList[],
  appUrl: string,
  envelope: Envelope,
): SendMailOptions {
  const [first] = lists;
  const isOne = lists.length === 1;
  const unnamedCount = Math.max(0, lists.length - namedMax);
  const urlOf = ({ kind, id }: EndedList) => `${appUrl}${paths[kind]}${id}`;
  return noticeMail(
    {
      subject:
        isOne && first
          ? `Your list ${first.name} ${first.problem === null ? 'is complete' : 'failed'}`
          : countsOf(lists),
      ...(isOne && first && { title: first.problem === null ? 'Your list is complete' : 'Your list failed' }),
      paragraphs:
        unnamedCount > 0 ? [`These are ${namedMax} of them. ${unnamedCount} more are in Assay.`] : [],
      items: lists
        .slice(0, namedMax)
        .map((list) => ({ name: list.name, url: urlOf(list), facts: factsOf(list) })),
      action:
        isOne && first
          ? { label: first.problem === null ? 'See the results' : 'See the list', url: urlOf(first) }
          : { label: 'See your lists', url: `${appUrl}/email-verification/bulk` },
      because: 'You get this mail because you verify lists with Assay.',
    },
    envelope,
  );
}

/** Such as: 2 lists are complete, 1 failed. */
function countsOf(lists: readonly EndedList[]): string {
  const failed = lists.filter(({ problem }) => problem !== null).length;
  const complete = lists.length - failed;
  if (complete === 0) return `${failed} lists failed`;
  const completed = `${complete} ${complete === 1 ? 'list is' : 'lists are'} complete`;
  return failed === 0 ? completed : `${completed}, ${failed} failed`;
}

const factsOf = ({ counts, chargedCredits, problem }: EndedList) => [
  ...(problem === null ? [] : [{ name: 'Failed', value: problem }]),
  ...counts
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => ({ name, value: numbers.format(count) })),
  { name: 'Credits charged', value: numbers.format(chargedCredits) },
];
