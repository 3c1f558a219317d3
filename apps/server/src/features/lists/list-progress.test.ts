import { describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { LateProgress, progressEveryMs } from './list-progress.ts';

const place = { ownerId: 'owner', listId: 'list' };

describe('LateProgress', () => {
  function watch() {
    const clock = movableClock();
    const tellings: Date[] = [];
    const late = new LateProgress(async (_place, writtenAt) => void tellings.push(writtenAt), clock.schedule);
    const write = (isProgressTold: boolean) => late.written(place, isProgressTold, clock.now());
    return { clock, tellings, write };
  }

  it('publishes throttled progress when no results follow', () => {
    const { clock, tellings, write } = watch();
    const writtenAt = clock.now();
    write(false);
    clock.advance({ ms: progressEveryMs - 1 });
    expect(tellings).toEqual([]);

    clock.advance({ ms: 1 });
    expect(tellings).toEqual([writtenAt]);
  });

  it('publishes nothing when later results published the progress', () => {
    const { clock, tellings, write } = watch();
    write(false);
    clock.advance({ ms: 50 });
    write(true);
    clock.advance({ seconds: 10 });

    expect(tellings).toEqual([]);
  });

  it('restarts the wait when more throttled results follow', () => {
    const { clock, tellings, write } = watch();
    write(false);
    clock.advance({ ms: 60 });
    const lastAt = clock.now();
    write(false);
    clock.advance({ seconds: 10 });

    expect(tellings).toEqual([lastAt]);
  });
});
