import { describe, expect, it } from 'vitest';
import type { BuiltFile } from './built-files.ts';
import { groupNames } from './few-files.ts';

/** A file that `import()` loads. */
const late = (path: string, imports: string[]): BuiltFile => ({
  fileName: `${path}.js`,
  isDynamicEntry: true,
  facadeModuleId: `/src/features/${path}.tsx`,
  moduleIds: [`/src/features/${path}.tsx`],
  imports: imports.map((imported) => `${imported}.js`),
});
const part = (name: string, imports: string[] = []): BuiltFile => ({
  fileName: `${name}.js`,
  moduleIds: [name],
  imports: imports.map((imported) => `${imported}.js`),
});

const names = groupNames([
  { ...part('index', ['button']), isEntry: true, facadeModuleId: '/index.html' },
  late('billing/billing-page', ['button', 'grid', 'money', 'invoice']),
  late('account/account-page', ['grid', 'money', 'keys']),
  late('status/status-page', ['grid']),
  late('operator/operator-page', ['grid', 'invoice', 'console']),
  late('account/keys-dialog', ['money', 'keys', 'fields']),
  part('button'),
  part('grid', ['cell']),
  part('cell'),
  part('money'),
  part('invoice'),
  part('keys'),
  part('fields'),
  part('console'),
]);

describe('the names of shared files', () => {
  it('puts what the entry loads into one file', () => {
    expect(names.get('index')).toBe('first');
    expect(names.get('button')).toBe('first');
  });

  it('puts what three pages load into one file, directly imported or not', () => {
    expect(names.get('grid')).toBe('pages');
    expect(names.get('cell')).toBe('pages');
  });

  it('puts the rest of a page, and of two pages, into a file for them', () => {
    expect(names.get('money')).toBe('account-and-billing');
    expect(names.get('invoice')).toBe('billing');
    expect(names.get('/src/features/billing/billing-page.tsx')).toBe('billing');
  });

  it('keeps what a dialog shares with one page apart, so that the dialog does not load the page', () => {
    expect(names.get('keys')).toBe('account-and-dialogs');
  });

  it('leaves what only dialogs or the operator console load to the bundler', () => {
    for (const id of ['fields', 'console', '/src/features/operator/operator-page.tsx'])
      expect(names.get(id)).toBeUndefined();
  });

  it('complains if there is no page', () => {
    expect(() => groupNames([{ ...part('index'), isEntry: true }])).toThrow(
      'No page was found in the build.',
    );
  });
});
