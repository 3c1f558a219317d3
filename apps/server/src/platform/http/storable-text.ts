/**
 * Finds text that PostgreSQL cannot keep: NUL has no place in its `text`, and half of a surrogate pair none in its
 * `jsonb`. Answers the path to it, such as `emails.3`, or null. Give it only what a schema has let through, whose depth
 * is bounded.
 */
export function findUnstorableText(value: unknown): string | null {
  return pathToUnstorable(value)?.join('.') ?? null;
}

function pathToUnstorable(value: unknown): string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : [];
  if (value instanceof File) return isStorable(value.name) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  // Object.entries would make a pair of each of 100,000 addresses.
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const path = pathToUnstorable(value[key as keyof typeof value]);
    if (path) return [String(key), ...path];
  }
  return null;
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
