import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { RouteContract } from './index.ts';
import { allRoutes } from './operator/index.ts';

interface Described {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
  readonly properties?: Record<string, Described>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

/** Of fixed length, or a file, which is streamed and has its own limits. */
const boundedFormats = new Set(['uuid', 'binary']);

const isUnbounded = ({ type, format = '', ...part }: Described): boolean => {
  if (type === 'string') {
    const isChoice = part.enum !== undefined || part.const !== undefined;
    return !isChoice && !boundedFormats.has(format) && part.maxLength === undefined;
  }
  if (type === 'array') return part.maxItems === undefined;
  return type === 'object' && part.additionalProperties !== false;
};

function unboundedParts(part: Described, path: string): string[] {
  return [
    ...(isUnbounded(part) ? [path] : []),
    ...Object.entries(part.properties ?? {}).flatMap(([name, field]) =>
      unboundedParts(field, `${path}.${name}`),
    ),
    ...(part.items ? unboundedParts(part.items, `${path}[]`) : []),
    ...(part.anyOf ?? []).flatMap((choice) => unboundedParts(choice, path)),
  ];
}

describe('every text, list and object of a request has a largest size', () => {
  const calls: RouteContract[] = Object.values(allRoutes).flatMap((feature) => Object.values(feature));

  it.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_, call) => {
    const unbounded = (['params', 'query', 'body'] as const).flatMap((name) => {
      const schema = call[name];
      if (!schema) return [];
      return unboundedParts(
        z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described,
        name,
      );
    });

    expect(unbounded).toEqual([]);
  });
});
