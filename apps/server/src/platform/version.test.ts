import { existsSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { readVersion } from './version.ts';

const isClone = existsSync(new URL('../../../../.git', import.meta.url));
afterEach(() => vi.unstubAllEnvs());

it.skipIf(!isClone)('tells the commit of a tree that belongs to another user, such as root', async () => {
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
  expect((await readVersion(null)).commit).toMatch(/^[\da-f]{40}$/);
});

it('tells the given commit', async () => {
  expect((await readVersion('abc123')).commit).toBe('abc123');
});
