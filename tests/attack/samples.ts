import { SAMPLE_VALUES } from '@assay/contract/samples';
import type { Random } from '../support/random.ts';
import type { Shape } from './operations.ts';

/** Values that the product has returned so far, by name: upload ids, coupon codes. */
export type Told = ReadonlyMap<string, readonly string[]>;

/** A valid value for this field. */
export function sampleOf(field: string, shape: Shape, random: Random, told: Told): unknown {
  const [first, ...rest] = told.get(field) ?? [];
  if (first !== undefined) return random.oneOf([first, ...rest]);
  const good = SAMPLE_VALUES[field];
  if (good) return random.oneOf(good);
  return fromShape(shape, random);
}

function fromShape(shape: Shape, random: Random): unknown {
  if (shape.const !== undefined) return shape.const;
  const [choice, ...choices] = shape.enum ?? [];
  if (choice !== undefined) return random.oneOf([choice, ...choices]);
  const [kind, ...kinds] = shape.anyOf ?? [];
  if (kind) return fromShape(random.oneOf([kind, ...kinds]), random);
  switch (shape.type) {
    case 'null':
      return null;
    case 'boolean':
      return random.share() < 0.5;
    case 'integer':
    case 'number':
      return random.between(shape.minimum ?? 0, Math.min(shape.maximum ?? 100, 1_000_000));
    case 'array':
      return Array.from({ length: random.between(1, 3) }, () => fromShape(shape.items ?? {}, random));
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, fromShape(inner, random)]),
      );
    default:
      return textOf(shape.format, random);
  }
}

function textOf(format: string | undefined, random: Random): string {
  if (format === 'uuid') return uuidOf(random);
  if (format === 'date-time') {
    const day = new Date(Date.UTC(2026, random.between(0, 11), random.between(1, 28)));
    return random.oneOf([day.toISOString(), day.toISOString().replace('Z', '+05:45')]);
  }
  return `text ${random.between(1, 1_000)}`;
}

/** An unknown id. */
export function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
