import type { OperatorOwner, RunningList } from '@assay/contract/operator';

/** '45 s', '12 min', '3 h', '2 days'. */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 100) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** '12.3 GB', in powers of 1,000. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export const shareText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;

export const whyWords: Readonly<Record<RunningList['why'], string>> = {
  preparing: 'Its rows are being copied',
  working: 'Gets results',
  no_jobs: 'Nothing in the queue works on it: restart it',
  jobs_failing: 'Its jobs fail',
  waiting_for_hosts: 'Waits for a mail host',
  port_closed: 'Port 25 is closed at every egress address',
  waiting_for_workers: 'Waits for a worker',
};

/** 'customer.standing' as 'Customer: standing'. */
export function actionWords(kind: string): string {
  const [subject = '', verb = ''] = kind.split('.');
  return `${sentenceOf(subject)}: ${verb.replaceAll('_', ' ')}`;
}

/** The number that a person typed, from 1 to `max`; null if it is none. */
export function readWhole(typed: string, max: number): number | null {
  const digits = typed.replaceAll(/[\s,]/g, '');
  const number = Number(digits);
  return /^\d{1,12}$/.test(digits) && number >= 1 && number <= max ? number : null;
}

/** A word of the contract as people write it: `CREDIT_PACK` is 'Credit pack'. */
export function sentenceOf(word: string): string {
  const words = word.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a customer, or the address of one without a name. */
export const ownerName = ({ first_name, last_name, email_address }: Omit<OperatorOwner, 'id'>): string =>
  `${first_name} ${last_name}`.trim() || email_address;
