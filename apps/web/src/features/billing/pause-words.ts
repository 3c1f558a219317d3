import { formatDate } from '../../shared/format/dates.ts';

/** For an automatic top-up whose monthly cap is used up. Months are those of UTC. */
export const pauseWords = (until: string): string =>
  `Automatic top-up has reached its cap of this month, and continues on ${formatDate(until, 'UTC')}.`;
