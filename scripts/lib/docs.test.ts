import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const isInstalled = (name: string) => ['node_modules', 'dist'].includes(name);
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: isInstalled });
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const matches = (path: string, pattern: RegExp) =>
  [...read(path).matchAll(pattern)].map(([, match = '']) => match);

/** The names in 'a, b and c'. */
const namesIn = (text = '') => text.split(/,\s*|\s+and\s+/);

const pages = find('{*.md,docs/**/*.md,packages/*/README.md}').filter((path) => path !== 'CHANGELOG.md');
const sources = find('{apps,packages,scripts,tests}/**/*.{ts,tsx,mjs,js,css,sql,md,json,txt,pem}');
const code = sources.filter((path) => /\.(ts|tsx|mjs|css|sql)$/.test(path) && !path.endsWith('docs.test.ts'));

describe('docs', () => {
  it('every link between pages leads to a page and a heading that exist', () => {
    const dead = pages.flatMap((page) =>
      matches(page, /\]\((?!https?:)([^)\s]+)\)/g)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );

    expect(dead).toEqual([]);
  });

  it('every page that a comment names exists', () => {
    const dead = code.flatMap((path) =>
      matches(path, /(?<![\w/.-])(docs\/[\w./-]+\.md)/g)
        .filter((page) => !existsSync(join(root, page)))
        .map((page) => `${path}: ${page}`),
    );

    expect(dead).toEqual([]);
  });

  it('every source file that a page names exists', () => {
    const dead = pages.flatMap((page) =>
      matches(page, /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|css|sql|pem))`/g)
        .filter((name) => !existsSync(join(root, name)) && !sources.some((path) => path.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`),
    );

    expect(dead).toEqual([]);
  });

  it('every file in a command exists', () => {
    const dead = pages.flatMap((page) =>
      matches(page, /`(np[mx] [^`\n]+)`/g)
        .flatMap((command) => command.split(' '))
        .filter((word) => /^[\w-]+\/.+\.(ts|mjs)$/.test(word) && !existsSync(join(root, word)))
        .map((name) => `${page}: ${name}`),
    );

    expect(dead).toEqual([]);
  });

  it('operations.md has a section for each topic that the README promises', () => {
    const [promised] = matches('README.md', /operations\.md\) covers ([^.]+)\./g);
    const sections = matches('docs/operations.md', /^## (.+)$/gm).map((title) => title.toLowerCase());

    expect(sections).toEqual(expect.arrayContaining(namesIn(promised)));
  });

  it('CONTRIBUTING.md names every group of checks', () => {
    const [named] = matches('CONTRIBUTING.md', /\(there are ([^)]+)\)/g);

    expect(namesIn(named?.replaceAll('`', '')).sort()).toEqual(
      matches('scripts/run-checks.ts', /\{\s*name: '([\w-]+)'/g).sort(),
    );
  });

  it('the client is installed from the URL of an installation, with its version', () => {
    const { version } = JSON.parse(read('packages/client/package.json'));
    const guide = find('apps/server/src/features/docs/pages/*.md');

    const installed = [...pages, ...guide].flatMap((page) => matches(page, /^npm install (.+)$/gm));

    expect(new Set(installed)).toEqual(
      new Set([`https://assay.example/downloads/assay-client-${version}.tgz`, '{{client-package}}']),
    );
  });
});

describe('docs/decisions', () => {
  const folder = 'docs/decisions';
  const decisions = find(`${folder}/*.md`).filter((path) => !path.endsWith('/README.md'));

  it('every page has its date and status below its title, and a line with both in the index', () => {
    const index = read(`${folder}/README.md`);

    const problems = decisions.flatMap((page) => {
      const [, date, status] = /^# .+\n\nDate: (\d{4}-\d\d-\d\d) · Status: (.+)$/m.exec(read(page)) ?? [];
      if (!date || !status) return [`${page} needs a line such as 'Date: 2026-11-15 · Status: accepted'`];
      const line = `](${page.slice(folder.length + 1)}) | ${date} | ${status} |`;
      return index.includes(line) ? [] : [`README.md needs a line that ends in '${line}'`];
    });

    expect(problems).toEqual([]);
  });

  it('the code that a decision protects names its page', () => {
    const named = new Set(code.flatMap((path) => matches(path, /(docs\/decisions\/[\w-]+\.md)/g)));

    expect(decisions.filter((page) => !named.has(page))).toEqual([]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || matches(target, /^#+ (.+)$/gm).some((title) => anchorOf(title) === heading);
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');
