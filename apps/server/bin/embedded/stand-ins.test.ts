import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../src/testing/database.ts';
import { readLocalSettings } from './settings.ts';
import { startStandIns } from './stand-ins.ts';
import type { StopRequest } from './stop-request.ts';

const neverStopped: StopRequest = {
  signal: new AbortController().signal,
  asked: new Promise(() => {}),
  ask: () => {},
  failure: undefined,
  release: () => {},
};

it('adds no setting for outside parts that the environment names, and opens no webhook range for a loopback HOST', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const folder = await mkdtemp(join(tmpdir(), 'assay-stand-ins-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = {
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://assay.example',
    ASSAY_DATA: folder,
    ASSAY_SECRET: 'x'.repeat(32),
    DATABASE_URL: database.url,
    OIDC_ISSUER: 'https://id.example',
    STRIPE_SECRET_KEY: 'sk_test_1',
    ASSAY_DNS: '127.0.0.1:53',
  };

  const standIns = await startStandIns(readLocalSettings(env), env, neverStopped);
  onTestFinished(standIns.close);

  const { ASSAY_SECRET, DATABASE_URL } = env;
  expect(standIns.environment).toEqual({ ASSAY_SECRET, DATABASE_URL });
});
