import type { ListWait } from '@assay/contract';

/** How far a list was at a moment. */
export interface ProgressSample {
  readonly atMs: number;
  /** 0 to 100. */
  readonly progress: number;
}

const windowMs = 60_000;
// With less than this, an estimate would jump.
const observedMinMs = 8_000;
const progressMin = 0.5;

/** Keeps the samples of the last minute, and where there are none, as in slow lists, the last one before it. */
export function withSample(
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): readonly ProgressSample[] {
  const recent = samples.filter(({ atMs }) => sample.atMs - atMs <= windowMs);
  return [...(recent.length > 0 ? recent : samples.slice(-1)), sample];
}

/** The time that is left at the rate of the last minute; null if that is too little to say. */
export function estimateMsLeft(samples: readonly ProgressSample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return null;
  const observedMs = last.atMs - first.atMs;
  const gained = last.progress - first.progress;
  if (observedMs < observedMinMs || gained < progressMin) return null;
  return ((100 - last.progress) / gained) * observedMs;
}

/** Rows that wait may be deferred again, so their time is only a lower bound. */
export function timeLeftWords(msLeft: number | null, waiting: readonly ListWait[], now: Date): string | null {
  if (waiting.length === 0) return msLeft === null ? null : `${capital(durationWords(msLeft))} left`;
  const waitsMs = waiting.map(({ until }) => new Date(until).getTime() - now.getTime());
  const leastMs = Math.max(0, msLeft ?? 0, ...waitsMs);
  return leastMs < minuteMs ? null : `At least ${durationWords(leastMs)} left`.replace('about ', '');
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function durationWords(ms: number): string {
  if (ms < minuteMs) return 'less than a minute';
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 90) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `about ${Math.round(ms / hourMs)} hours`;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
