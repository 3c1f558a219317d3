import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '../../../../../packages/client/scripts/build-package.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startRegistry } from './testing/npm-registry.ts';

const execute = promisify(execFile);

describe('the client as a package that the product serves', () => {
  let folder: string;
  let api: TestApi;
  let base: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-download-'));
    const webRoot = join(folder, 'web');
    await mkdir(webRoot);
    await writeFile(join(webRoot, 'index.html'), '<!doctype html>');
    // As the build of the web app does.
    await packClient(join(webRoot, 'downloads'));
    api = await startTestApi({ webRoot });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The command of the guide, with the address of this test. */
  const shownUrl = async () => {
    const guide = await (await fetch(`${base}/docs/quick-start.md`)).text();
    const [, url = ''] = /^npm install (\S+)$/m.exec(guide) ?? [];
    return url.replace('https://assay.test', base);
  };

  it('is at the URL that the guide shows, and may be cached', async () => {
    const answer = await fetch(await shownUrl());

    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(new URL(answer.url).pathname).toMatch(/^\/downloads\/assay-client-\d+\.\d+\.\d+\.tgz$/);
    expect((await fetch(`${base}/downloads/gone.tgz`)).status).toBe(404);
  });

  it('installs into an empty folder, and calls the API', async () => {
    const project = join(folder, 'project');
    await mkdir(project);
    const registry = await startRegistry(folder, [
      'zod',
      'standardwebhooks',
      '@stablelib/base64',
      'fast-sha256',
    ]);
    try {
      const options = [
        '--registry',
        registry.url,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-save',
      ];
      const cache = ['--cache', join(folder, 'cache')];
      await execute('npm', ['install', await shownUrl(), ...options, ...cache], { cwd: project });
    } finally {
      await registry.close();
    }
    const program = `
      import { createClient } from '@assay/client';
      import { verifyWebhook } from '@assay/client/webhooks';
      const assay = createClient({ baseUrl: '${base}/api', apiKey: 'assay_live_wrong' });
      const { parts } = await assay.status.getStatus();
      console.log(parts.length, typeof verifyWebhook);`;
    await writeFile(join(project, 'program.mjs'), program);

    const { stdout } = await execute(process.execPath, ['program.mjs'], { cwd: project });

    expect(stdout).toBe('3 function\n');
  });
});
