// A range such as `5-10 minutes` counts as its longer end.
const duration =
  /(?<![\d.:])(?:\d{1,5} ?(?:-|to) ?)?(\d{1,5}(?:\.\d{1,3})?) ?(days?|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b/g;
const betweenParts = /^,? ?(?:and )?$/;
const announcesDelay = /\b(?:in|after|for|wait|waiting|retry|delay|delayed|least|again)\b|=/;
/** `within 24 hours` is a limit and no delay. */
const announcesLimit = /\bwithin\b/;
/** How far before a duration the word is that makes a delay of it. */
const announcementCharactersMax = 25;
/** Replies also hold times of day and IPv6 addresses. */
const clockTime = /\b(?:in|for|after|wait) (\d{1,2}):(\d{2}):(\d{2})\b(?! (?:utc|gmt|[ap]m))/;
const delayMaxMs = 24 * 3_600_000;

const unitsMs: Record<string, number> = { d: 24 * 3_600_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** The delay a deferral names, in lower case: `in 300 seconds`, `for 1 hour 30 minutes`, `in 00:05:00`. */
export function readRetryDelay(sentence: string): number | undefined {
  const delayMs = readDuration(sentence) ?? readClockTime(sentence);
  return delayMs === undefined ? undefined : Math.min(Math.round(delayMs), delayMaxMs);
}

function readDuration(sentence: string): number | undefined {
  let totalMs: number | undefined;
  let end = 0;
  for (const { 0: matched, 1: count, 2: unit = '', index } of sentence.matchAll(duration)) {
    if (totalMs === undefined && !isAnnounced(sentence, index)) continue;
    if (totalMs !== undefined && !betweenParts.test(sentence.slice(end, index))) break;
    totalMs = (totalMs ?? 0) + Number(count) * (unitsMs[unit.charAt(0)] ?? 0);
    end = index + matched.length;
  }
  return totalMs;
}

function isAnnounced(sentence: string, index: number): boolean {
  const before = sentence.slice(Math.max(0, index - announcementCharactersMax), index);
  // Words before another number announce that one.
  const words = before.split(/\d/).at(-1) ?? '';
  return announcesDelay.test(words) && !announcesLimit.test(words);
}

function readClockTime(sentence: string): number | undefined {
  const timed = clockTime.exec(sentence);
  if (timed === null) return undefined;
  return (Number(timed[1]) * 3_600 + Number(timed[2]) * 60 + Number(timed[3])) * 1_000;
}
