import { describe, expect, it } from 'vitest';
import { Greylist } from './greylist.ts';

const attempt = { peer: '127.0.0.1', sender: 'a@b.test', recipient: 'c@d.test' };

describe('a greylist', () => {
  it('counts the wait from the first attempt', () => {
    const greylist = new Greylist(1000);
    expect(greylist.waitMs(attempt, 5000)).toBe(1000);
    expect(greylist.waitMs(attempt, 5400)).toBe(600);
    expect(greylist.waitMs(attempt, 6000)).toBe(0);
  });

  it('knows peer, sender and recipient apart', () => {
    const greylist = new Greylist(1000);
    greylist.waitMs(attempt, 0);
    for (const other of [{ peer: '127.0.0.2' }, { sender: '' }, { recipient: 'e@d.test' }])
      expect(greylist.waitMs({ ...attempt, ...other }, 2000)).toBe(1000);
  });

  it('forgets the oldest when it has too many to remember', () => {
    const greylist = new Greylist(1000);
    greylist.waitMs(attempt, 0);
    for (let index = 0; index < 100_000; index += 1)
      greylist.waitMs({ ...attempt, recipient: `${index}@d.test` }, 0);
    expect(greylist.waitMs(attempt, 2000)).toBe(1000);
    expect(greylist.waitMs({ ...attempt, recipient: '99999@d.test' }, 2000)).toBe(0);
  });
});
