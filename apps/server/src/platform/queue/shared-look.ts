import type { Logger } from '../logging/index.ts';
import type { Lane } from './lane.ts';

interface SharedLookOptions {
  /** The queues among these that have a job whose time has come. */
  readonly find: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly lanes: readonly Pick<Lane, 'name' | 'hasRoom' | 'wake'>[];
  readonly logger: Logger;
}

/** After so many looks without an answer, each lane looks for itself: one silent connection must not stop them all. */
const looksMissedMax = 5;

/** One look for the jobs of all lanes, because most queues are empty most of the time. Wakes the lanes that have some. */
export function createSharedLook({ find, lanes, logger }: SharedLookOptions): () => Promise<void> {
  let isLooking = false;
  let missedCount = 0;
  return async () => {
    for (const lane of lanes) if (!lane.hasRoom) lane.wake();
    const free = lanes.filter(({ hasRoom }) => hasRoom);
    if (free.length === 0) return;
    if (isLooking) {
      missedCount += 1;
      if (missedCount >= looksMissedMax) for (const lane of free) lane.wake();
      return;
    }
    isLooking = true;
    try {
      const found = await find(free.map(({ name }) => name));
      for (const lane of free) if (found.has(lane.name)) lane.wake();
    } catch (error) {
      logger.warn({ err: error }, 'could not look for the jobs of all lanes; each looks for itself');
      for (const lane of free) lane.wake();
    }
    isLooking = false;
    missedCount = 0;
  };
}
