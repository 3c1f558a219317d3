/** An address is asked about at most so often: with the delays below that takes three hours. */
export const attemptsMax = 12;

// Most greylisting hosts accept after one to five minutes; the first attempts come early because some accept after seconds.
const minuteMs = 60_000;
const delaysMs = [
  5_000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 20, 30, 60, 60].map((minutes) => minutes * minuteMs),
];
// Hosts count whole seconds, and their clock is not ours.
const marginMs = 250;
const lastTryMinMs = 1_000;

/** How long to wait before asking again: as long as the host says, and longer after each deferral. */
export function deferralDelay(count: number, namedMs: number | undefined): number;
/** The same within the time that is left; undefined when there is no point in waiting. */
export function deferralDelay(count: number, namedMs: number | undefined, leftMs: number): number | undefined;
export function deferralDelay(
  count: number,
  namedMs: number | undefined,
  leftMs?: number,
): number | undefined {
  const usualMs = delaysMs[Math.min(count, delaysMs.length) - 1] as number;
  const delayMs =
    namedMs === undefined
      ? usualMs
      : count === 1
        ? namedMs + marginMs
        : Math.max(namedMs + marginMs, usualMs);
  if (leftMs === undefined || delayMs <= leftMs) return delayMs;
  // If the host names a time after that, an earlier attempt is useless. If it names none, one last attempt may succeed.
  return namedMs === undefined && leftMs >= lastTryMinMs ? leftMs : undefined;
}
