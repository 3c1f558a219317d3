import type { WeatherPlace, WeatherPoint } from '@assay/contract/operator';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatTime } from '../../../shared/format/dates.ts';

export const placeName = (provider: string): string => (provider === 'others' ? 'Other hosts' : provider);

/** The limit in force, and why it is as it is. */
export function limitWords(limit: WeatherPlace['limit']): string | null {
  if (limit === null) return null;
  const { allowed, recipients, spent, why, end_date } = limit;
  const spentWords = `${formatCredits(spent)} of ${formatCredits(allowed)} unknown, per ${formatCredits(recipients)} recipients`;
  switch (why) {
    case 'resting':
      return `It blocked us, so nobody asks until ${end_date === null ? 'later' : formatTime(end_date)}`;
    case 'after_block':
      return `${spentWords}; lower for a while after a block`;
    case 'new_egress':
      return `${spentWords}; lower because the egress is new`;
    case 'usual':
      return spentWords;
  }
}

const hourMs = 3_600_000;

interface Chosen {
  readonly provider: string;
  readonly kinds: readonly ('answered' | 'deferred' | 'blocked' | 'timed_out')[];
  readonly days: number;
  readonly now: number;
}

/** What all egress addresses together counted at a provider, with zeros where nothing was. */
export function chartPoints(
  points: readonly WeatherPoint[],
  { provider, kinds, days, now }: Chosen,
): { readonly date: string; readonly count: number }[] {
  const stepMs = days === 1 ? hourMs : 24 * hourMs;
  const counts = new Map<number, number>();
  for (const point of points) {
    if (point.provider !== provider) continue;
    const at = Date.parse(point.date);
    counts.set(
      at,
      kinds.reduce((sum, kind) => sum + point[kind], counts.get(at) ?? 0),
    );
  }
  const last = now - (now % stepMs);
  const stepCount = days === 1 ? 24 : days;
  return Array.from({ length: stepCount }, (_, index) => {
    const at = last - (stepCount - 1 - index) * stepMs;
    return { date: new Date(at).toISOString(), count: counts.get(at) ?? 0 };
  });
}
