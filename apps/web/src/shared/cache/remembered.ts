import type { LocalCache } from './local-cache.ts';

interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/**
 * What the server last said about the signed-in person, so that the shell stands before the network answers. It is kept
 * per identity: whoever signs in next on this browser never sees it.
 */
export interface Remembered {
  keep<Value>(name: string, value: Value): Value;
  /** Nothing when an earlier build kept it in another shape. */
  recall<Value>(name: string, schema: Schema<Value>): Value | undefined;
  forget(): void;
}

export function createRemembered(cache: LocalCache, subject: () => string | undefined): Remembered {
  const keyOf = () => `remembered.${subject() ?? ''}`;
  const readAll = (): Record<string, unknown> => {
    const kept = subject() === undefined ? undefined : cache.get(keyOf());
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  };

  return {
    keep(name, value) {
      if (subject() !== undefined) cache.set(keyOf(), { ...readAll(), [name]: value });
      return value;
    },
    recall(name, schema) {
      const parsed = schema.safeParse(readAll()[name]);
      return parsed.success ? parsed.data : undefined;
    },
    forget() {
      cache.delete(keyOf());
    },
  };
}
