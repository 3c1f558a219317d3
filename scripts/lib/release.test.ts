import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packRelease, prepareRelease } from './release.ts';

const day = new Date('2027-01-02T12:00:00Z');

/** A repository with two packages, one of which needs the other. */
function openRepository(changelog = '# Changelog\n\n## Unreleased\n\n- New.\n') {
  const root = mkdtempSync(join(tmpdir(), 'assay-release-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const manifest = (fields: object) => `${JSON.stringify(fields, null, 2)}\n`;
  write('CHANGELOG.md', changelog);
  write('package.json', manifest({ name: 'assay', version: '0.1.0', workspaces: ['packages/*'] }));
  write('packages/verifier/package.json', manifest({ name: '@assay/verifier', version: '0.1.0' }));
  const needs = { '@assay/verifier': '0.1.0' };
  write(
    'packages/client/package.json',
    manifest({ name: '@assay/client', version: '0.1.0', dependencies: needs }),
  );
  write('.gitignore', 'dist/\n*.tar.gz*\n');
  write('apps/web/dist/index.html', 'built');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@example.test');
  git('add', '.');
  git('commit', '--quiet', '--message', 'start');
  return { root, git, write, read: (path: string) => readFileSync(join(root, path), 'utf8') };
}

it('gives every package the version, dates the changelog, and commits and tags both', () => {
  const { root, git, read } = openRepository();
  prepareRelease(root, '0.2.0', day);
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
  expect(JSON.parse(read('packages/client/package.json'))).toMatchObject({
    version: '0.2.0',
    dependencies: { '@assay/verifier': '0.2.0' },
  });
  expect(read('CHANGELOG.md')).toBe('# Changelog\n\n## Unreleased\n\n## 0.2.0 (2027-01-02)\n\n- New.\n');
  expect(git('log', '-1', '--format=%s %D')).toContain('release: 0.2.0');
  expect(git('tag', '--points-at', 'HEAD').trim()).toBe('v0.2.0');
});

it('packs the sources and the built web app, and writes the digest beside it', () => {
  const { root, read } = openRepository();
  prepareRelease(root, '0.2.0', day);
  const archive = packRelease(root, '0.2.0');
  const names = execFileSync('tar', ['--list', `--file=${archive}`], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  );
  expect(names).toContain('assay-0.2.0/packages/client/package.json');
  expect(names).toContain('assay-0.2.0/apps/web/dist/index.html');
  const digest = createHash('sha256')
    .update(readFileSync(join(root, archive)))
    .digest('hex');
  expect(read(`${archive}.sha256`)).toBe(`${digest}  ${archive}\n`);
});

it('refuses before it changes anything, and says why', () => {
  const { root, git, write } = openRepository();
  expect(() => prepareRelease(root, 'next', day)).toThrow('three numbers');
  write('notes.txt', 'not committed');
  expect(() => prepareRelease(root, '0.2.0', day)).toThrow('commit them first');
  git('clean', '--quiet', '--force');
  git('tag', 'v0.2.0');
  expect(() => prepareRelease(root, '0.2.0', day)).toThrow('released already');
  expect(git('status', '--porcelain')).toBe('');
  const { root: empty } = openRepository('# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n');
  expect(() => prepareRelease(empty, '0.2.0', day)).toThrow('says nothing');
});
