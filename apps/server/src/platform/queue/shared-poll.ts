import type { Logger } from '../logging/index.ts';
import type { Lane } from './lane.ts';

interface SharedPollOptions {
  /** The queues among these that have a job whose time has come. */
  readonly find: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly lanes: readonly Pick<Lane, 'name' | 'hasRoom' | 'wake'>[];
  readonly logger: Logger;
}

/** After so many polls without an answer, each lane polls for itself: one silent connection must not stop them all. */
const pollsMissedMax = 5;

/** One poll for the jobs of all lanes, because most queues are empty most of the time. Wakes the lanes that have some. */
export function createSharedPoll({ find, lanes, logger }: SharedPollOptions): () => Promise<void> {
  let isPolling = false;
  let missedCount = 0;
  return async () => {
    for (const lane of lanes) if (!lane.hasRoom) lane.wake();
    const free = lanes.filter(({ hasRoom }) => hasRoom);
    if (free.length === 0) return;
    if (isPolling) {
      missedCount += 1;
      if (missedCount >= pollsMissedMax) for (const lane of free) lane.wake();
      return;
    }
    isPolling = true;
    try {
      const found = await find(free.map(({ name }) => name));
      for (const lane of free) if (found.has(lane.name)) lane.wake();
    } catch (error) {
      logger.warn({ err: error }, 'could not poll for the jobs of all lanes; each polls for itself');
      for (const lane of free) lane.wake();
    }
    isPolling = false;
    missedCount = 0;
  };
}
