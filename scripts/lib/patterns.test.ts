import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collectPatterns } from './collect-patterns.ts';
import { ratePattern } from './rate-pattern.ts';

describe('ratePattern', () => {
  it.each([
    [String.raw`^[\w.-]+@[\w-]+$`],
    [String.raw`(?:black|block) ?list|for \d+|[|(]\)`],
    ['^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'],
  ])('takes %s for linear', (source) => {
    expect(ratePattern(source, '')).toEqual({ isLinear: true });
  });

  it.each([
    [String.raw`[^\s@]+@`, '2nd degree polynomial'],
    ['^(a+)+$', 'exponential'],
    [String.raw`safe|\s+$`, '2nd degree polynomial'],
    [String.raw`[^\s@]{1,5000}@`, '2nd degree polynomial'],
  ])('refuses %s and tells what it is slow with', (source, problem) => {
    expect(ratePattern(source, '')).toEqual({ isLinear: false, problem, attack: expect.any(String) });
  });

  it('refuses what it cannot rate', () => {
    expect(ratePattern('(?=[^/]+$)x*', '')).toMatchObject({
      isLinear: false,
      problem: expect.stringContaining('cannot be rated'),
    });
  });
});

describe('collectPatterns', () => {
  const collectFrom = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-patterns-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'a.ts'), text);
    return collectPatterns([join(folder, 'a.ts')]);
  };

  it('finds literals and expressions made of constants, with their lines', () => {
    const { found, hidden } = collectFrom(`
      export const prefix = 'key_';
      const tail = String.raw\`\\d+\`;
      const bytes = 4;
      const made = new RegExp(\`^\${prefix}\${tail}[a-f]{\${bytes * 2}}$\`, 'u');
      const isOne = (text: string) => text.match(/a|b/g);
      // No expression: /c+/ and 4 / 2 / 1.
    `);

    expect(found.map(({ place, ...pattern }) => ({ ...pattern, line: place.split(':').at(-1) }))).toEqual([
      { source: String.raw`^key_\d+[a-f]{8}$`, flags: 'u', line: '5' },
      { source: 'a|b', flags: 'g', line: '6' },
    ]);
    expect(hidden).toEqual([]);
  });

  it('rates the parts of a union where they are written, and no other expression that is made of parts', () => {
    const { found, hidden } = collectFrom(`
      const anyOf = (patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'));
      const slow = anyOf([/a/, /(a+)+$/]);
      const allOf = (patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('.*'));
    `);
    expect(found.map(({ source }) => source)).toEqual(['a', '(a+)+$']);
    expect(hidden.map(({ place }) => place.split(':').at(-1))).toEqual(['4']);
  });

  it('tells of those whose parts only running the code would tell', () => {
    const { found, hidden } = collectFrom('export const find = (word: string) => new RegExp(word);');

    expect(found).toEqual([]);
    expect(hidden).toHaveLength(1);
  });
});
