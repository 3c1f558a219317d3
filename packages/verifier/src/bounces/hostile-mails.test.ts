import { describe, expect, it } from 'vitest';
import { bounceBytesMax, explainBounce } from './explain-bounce.ts';
import { hostileBounces } from './testing/hostile-mails.ts';

describe('hostile mails', () => {
  // An honest megabyte takes about 30 ms of processor time. A quadratic step takes minutes.
  it.each(Object.entries(hostileBounces))('cost no more than their length: %s', (_, text) => {
    const before = process.cpuUsage();
    const found = explainBounce(Buffer.from(text).subarray(0, bounceBytesMax));
    const { user, system } = process.cpuUsage(before);

    expect((found ?? []).length).toBeLessThanOrEqual(1_000);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
