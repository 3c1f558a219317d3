import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareRelease, signDigests } from './release.ts';

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

it('signs the digests of all files, so that openssl and sha256sum notice a change of any', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-signed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.deb'), 'package');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  signDigests(folder, privateKey);
  const publicFile = `${folder}.pub`;
  writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  onTestFinished(() => rmSync(publicFile));

  const run = (program: string, ...args: string[]) => spawnSync(program, args, { cwd: folder }).status;
  const signature = ['-rawin', '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig'];
  const verify = () => [
    run('openssl', 'pkeyutl', '-verify', '-pubin', '-inkey', publicFile, ...signature),
    run('sha256sum', '--check', 'SHA256SUMS'),
  ];
  expect(verify()).toEqual([0, 0]);
  writeFileSync(join(folder, 'a.deb'), 'another');
  expect(verify()).toEqual([0, 1]);
  writeFileSync(join(folder, 'SHA256SUMS'), '');
  expect(verify()[0]).toBe(1);
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
