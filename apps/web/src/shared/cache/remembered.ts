import type { LocalCache } from './local-cache.ts';

interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/**
 * The server's last answers about the signed-in person, so that the shell can render before the network answers. They are
 * stored per identity: the next person who signs in on this browser never sees them.
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
