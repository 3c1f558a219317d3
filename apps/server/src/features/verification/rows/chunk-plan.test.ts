import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkPlan } from './chunk-plan.ts';

describe('ChunkPlan', () => {
  it('puts every row into exactly one chunk of at most the given length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.domain(), { maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        (domains, length) => {
          const plan = new ChunkPlan(domains.length);
          domains.forEach((domain, row) => {
            plan.add(row, domain);
          });
          const chunks = [...plan.cut(length)];

          expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= length)).toBe(true);
          expect(chunks.flat().sort((left, right) => left - right)).toEqual(domains.map((_, row) => row));
        },
      ),
    );
  });

  it('throws when there are more rows than were counted', () => {
    const plan = new ChunkPlan(1);
    plan.add(0, 'one.test');

    expect(() => plan.add(1, 'one.test')).toThrow(RangeError);
  });

  it('keeps the rows of one domain together', () => {
    const plan = new ChunkPlan(10_000);
    for (let row = 0; row < 10_000; row++) plan.add(row, `domain${row % 40}.test`);

    const chunks = [...plan.cut(250)];

    expect(chunks).toHaveLength(40);
    for (const chunk of chunks) expect(new Set(chunk.map((row) => row % 40)).size).toBe(1);
  });
});
