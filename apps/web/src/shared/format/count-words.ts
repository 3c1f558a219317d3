import { formatCredits } from './counts.ts';

/** '1 credit', '1,234 credits'. */
export const creditsText = (count: number): string => countText(count, 'credit');

/** '1 email', '1,234 emails'. */
export const emailsText = (count: number): string => countText(count, 'email');

/** '1 person', '1,234 people'. */
export const peopleText = (count: number): string =>
  `${formatCredits(count)} ${count === 1 ? 'person' : 'people'}`;

/** '1 mail', '1,234 mails'. */
export const countText = (count: number, noun: string): string =>
  `${formatCredits(count)} ${count === 1 ? noun : `${noun}s`}`;
