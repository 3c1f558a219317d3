import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');

describe('docs/decisions', () => {
  it('names the date and the status of every page below its title, and lists the page with both', () => {
    const index = read('README.md');

    const problems = pages.flatMap((name) => {
      const [, date, status] = /^Date: (\d{4}-\d\d-\d\d) · Status: (.+)$/m.exec(read(name)) ?? [];
      if (!date || !status) return [`${name} needs a line such as 'Date: 2026-11-15 · Status: accepted'`];
      const line = `](${name}) | ${date} | ${status} |`;
      return index.includes(line) ? [] : [`README.md needs a line that ends in '${line}'`];
    });

    expect(problems).toEqual([]);
  });

  it('lists no page that is gone', () => {
    const listed = [...read('README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);

    expect(listed.filter((name) => !pages.includes(name ?? ''))).toEqual([]);
  });
});
