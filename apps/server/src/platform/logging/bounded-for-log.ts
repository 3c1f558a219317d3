import { TEXT_LENGTH_MAX } from '../text-limits.ts';
import { shortenAndBlank } from './blank-personal-data.ts';

const depthMax = 4;
const entriesMax = 30;

/**
 * What one line may hold of a value: texts are cut and blanked, long lists and deep objects end early. It keeps a caller
 * from filling the log, and texts of theirs that reach it by mistake from telling who they are. Errors and the like
 * stay as they are: the logger has serializers for them.
 */
export function boundedForLog(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shortenAndBlank(value, TEXT_LENGTH_MAX.logValue);
  if (Array.isArray(value)) {
    return depth < depthMax ? value.slice(0, entriesMax).map((item) => boundedForLog(item, depth + 1)) : '…';
  }
  return isPlainObject(value) ? boundedObject(value, depth) : value;
}

export const boundedLine = (line: Record<string, unknown>): Record<string, unknown> =>
  boundedObject(line, 0) as Record<string, unknown>;

function boundedObject(value: object, depth: number): unknown {
  if (depth >= depthMax) return '…';
  const entries = Object.entries(value).slice(0, entriesMax);
  return Object.fromEntries(entries.map(([name, held]) => [name, boundedForLog(held, depth + 1)]));
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
