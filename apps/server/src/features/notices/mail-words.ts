const dayFormat = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const momentFormat = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** We do not know the reader's time zone. */
export const shownDay = (date: Date): string => dayFormat.format(date);
export const shownMoment = (date: Date): string => `${momentFormat.format(date)} UTC`;
export const dollars = (cents: number): string => money.format(cents / 100);
