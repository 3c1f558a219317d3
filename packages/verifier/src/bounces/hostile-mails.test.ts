import { describe, expect, it } from 'vitest';
import { bounceBytesMax, explainBounce } from './explain-bounce.ts';
import { hostileBounces } from './testing/hostile-mails.ts';

const timesLonger = 4;
/** A machine that is busy may disturb one measurement. */
const attemptsMax = 4;
const findingsMax = 1_000;

/** The processor time that this thread takes. */
function cpuMsOf(text: string): number {
  const bytes = Buffer.from(text).subarray(0, bounceBytesMax);
  const before = process.threadCpuUsage();
  explainBounce(bytes);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Null if four times the length takes about four times as long; quadratic work would take sixteen times as long. */
function whyTooCostly(text: string): string | null {
  const shortMs = cpuMsOf(text.slice(0, text.length / timesLonger));
  const longMs = cpuMsOf(text);
  if (longMs <= shortMs * timesLonger * 2.5 + 40) return null;
  return `${Math.round(shortMs)} ms, ${timesLonger} times as long: ${Math.round(longMs)} ms`;
}

describe('hostile mails', () => {
  it.each(Object.entries(hostileBounces))('cost no more than their length: %s', (_, text) => {
    let problem = whyTooCostly(text);
    for (let attempt = 1; problem !== null && attempt < attemptsMax; attempt += 1)
      problem = whyTooCostly(text);

    expect(problem).toBeNull();
  });

  it.each(Object.entries(hostileBounces))('give a bounded answer: %s', (_, text) => {
    const found = explainBounce(Buffer.from(text).subarray(0, bounceBytesMax)) ?? [];

    expect(found.length).toBeLessThanOrEqual(findingsMax);
    expect(found.every(({ words }) => words.length <= 1_000)).toBe(true);
  });
});
