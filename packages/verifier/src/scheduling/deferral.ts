// Most greylisters open after one to five minutes; the first tries come early because some open after seconds.
const delaysMs = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000];
// Hosts count whole seconds, and their clock is not ours.
const marginMs = 250;
const lastTryMinMs = 1_000;

/** How long to wait before asking again: as long as the host says, and longer each time it says no again. */
export function deferralDelay(count: number, namedMs: number | undefined): number;
/** The same within what is left of the caller's patience; undefined when there is no point in waiting. */
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
  // Where the host names a time beyond our patience there is no use in coming sooner; where it names none, one last
  // try at the end of patience may succeed.
  return namedMs === undefined && leftMs >= lastTryMinMs ? leftMs : undefined;
}
