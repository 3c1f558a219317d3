/**
 * Groups what comes into batches, so that it is written together: a batch ends when it is full, or when its first item
 * has waited long enough, also while nothing else comes.
 */
export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  { lengthMax, waitMaxMs }: { readonly lengthMax: number; readonly waitMaxMs: number },
): AsyncGenerator<Item[]> {
  const iterator = items[Symbol.asyncIterator]();
  let batch: Item[] = [];
  let deadline: Deadline | null = null;
  let next = iterator.next();
  try {
    for (;;) {
      const come = await (deadline ? Promise.race([next, deadline.passed]) : next);
      if (come !== 'passed') {
        if (come.done) break;
        batch.push(come.value);
        deadline ??= startDeadline(waitMaxMs);
        next = iterator.next();
        if (batch.length < lengthMax) continue;
      }
      deadline?.cancel();
      deadline = null;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    deadline?.cancel();
    // An answer that nobody waits for any more must not become an unhandled rejection.
    next.catch(() => undefined);
    await iterator.return?.();
  }
}

interface Deadline {
  readonly passed: Promise<'passed'>;
  cancel(): void;
}

function startDeadline(afterMs: number): Deadline {
  const { promise, resolve } = Promise.withResolvers<'passed'>();
  const timer = setTimeout(() => resolve('passed'), afterMs);
  return { passed: promise, cancel: () => clearTimeout(timer) };
}
