import { describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { LateProgress, progressEveryMs } from './list-progress.ts';

const place = { ownerId: 'owner', listId: 'list' };

describe('progress that was written too soon after it was told', () => {
  function watch() {
    const clock = movableClock();
    const tellings: Date[] = [];
    const late = new LateProgress(async (_place, writtenAt) => void tellings.push(writtenAt), clock.schedule);
    const write = (isProgressTold: boolean) => late.written(place, isProgressTold, clock.now());
    return { clock, tellings, write };
  }

  it('is told when nothing has followed it for a while', () => {
    const { clock, tellings, write } = watch();
    const writtenAt = clock.now();
    write(false);
    clock.advance({ ms: progressEveryMs - 1 });
    expect(tellings).toEqual([]);

    clock.advance({ ms: 1 });
    expect(tellings).toEqual([writtenAt]);
  });

  it('is told with what follows it, and not once more', () => {
    const { clock, tellings, write } = watch();
    write(false);
    clock.advance({ ms: 50 });
    write(true);
    clock.advance({ seconds: 10 });

    expect(tellings).toEqual([]);
  });

  it('waits anew when more is written too soon', () => {
    const { clock, tellings, write } = watch();
    write(false);
    clock.advance({ ms: 60 });
    const lastAt = clock.now();
    write(false);
    clock.advance({ seconds: 10 });

    expect(tellings).toEqual([lastAt]);
  });
});
