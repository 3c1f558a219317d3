import { AsyncLocalStorage } from 'node:async_hooks';
import { Batch } from './batch.ts';
import { type Schedule, systemSchedule } from './clock.ts';
import { withPatience } from './database/with-patience.ts';
import { AppError } from './errors/index.ts';

export interface BatchByKeyOptions<Item, Answer> {
  /**
   * Handles items of one key, all of them or none, and answers in their order. It must be safe to call again after a
   * failure, also after one that came too late to undo anything.
   */
  readonly handle: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Items beyond this number go with the next call. */
  readonly lengthMax: number;
  readonly schedule?: Schedule;
}

/** A connection that fell silent must not stop everything of a key. */
const patienceMs = 30_000;

/**
 * Gathers items by a key, such as their customer, as `Batch` does. Keys do not wait for each other. When a batch fails, each of its
 * items is handled alone, so that one that is refused does not fail the others.
 */
export function batchByKey<Item extends object, Answer>({
  handle,
  lengthMax,
  schedule = systemSchedule,
}: BatchByKeyOptions<Item, Answer>): (key: string, item: Item) => Promise<Answer> {
  type Answers = ReadonlyMap<Item, Answer>;
  // A batch of a busy key lives long. Without this, all of it would belong to the trace of its first item.
  const asMaker = AsyncLocalStorage.snapshot();
  const open = new Map<string, { readonly batch: Batch<Item, Answers | undefined>; itemCount: number }>();

  const answersOf = async (items: readonly Item[]): Promise<Answers> => {
    const answers = await handle(items);
    return new Map(items.map((item, place) => [item, answers[place] as Answer]));
  };
  const handleTogether = (items: readonly Item[]): Promise<Answers | undefined> =>
    withPatience(answersOf(items), patienceMs, schedule).catch((error) => {
      // Each item alone would be refused as well, after as long a wait.
      const isOfAll = error instanceof AppError && error.code === 'too_many_requests';
      if (items.length === 1 || isOfAll) throw error;
      return undefined;
    });
  const openBatch = (key: string) => {
    const opened = { batch: asMaker(() => new Batch({ call: handleTogether, lengthMax })), itemCount: 0 };
    open.set(key, opened);
    return opened;
  };

  return async (key, item) => {
    const opened = open.get(key) ?? openBatch(key);
    opened.itemCount += 1;
    try {
      const answers = (await opened.batch.add(item)) ?? (await answersOf([item]));
      return answers.get(item) as Answer;
    } finally {
      opened.itemCount -= 1;
      if (opened.itemCount === 0) open.delete(key);
    }
  };
}
