import { describe, expect, it } from 'vitest';
import { refuseUnready } from './production.ts';
import { readLocalSettings } from './settings.ts';

const ready = {
  PUBLIC_URL: 'https://verify.example.com',
  SMTP_RELAY_URL: 'smtp://relay.example.com',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

const problemsOf = (env: NodeJS.ProcessEnv, sellsNothing = false): string[] => {
  try {
    refuseUnready(env, { sellsNothing });
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').filter((line) => line.startsWith('  - '));
  }
};
/** Of the environment alone: whether the web app is built differs from machine to machine. */
const settingsMissing = (env: NodeJS.ProcessEnv, sellsNothing?: boolean) =>
  problemsOf(env, sellsNothing)
    .map((line) => line.slice(4).split(' ')[0])
    .filter((name) => name !== 'The');

describe('assay start --production', () => {
  it('needs a public address, a relay and Stripe, and names everything that is missing or wrong at once', () => {
    expect(settingsMissing(ready)).toEqual([]);
    expect(settingsMissing({ PORT: 'three' })).toEqual([
      'PUBLIC_URL',
      'SMTP_RELAY_URL',
      'STRIPE_SECRET_KEY',
      'PORT',
    ]);
    expect(settingsMissing({ ...ready, STRIPE_WEBHOOK_SECRET: '' })).toEqual(['STRIPE_WEBHOOK_SECRET']);
  });

  it.each([
    ['a public address without TLS', { PUBLIC_URL: 'http://verify.example.com' }, ['PUBLIC_URL']],
    ['a public address with a path', { PUBLIC_URL: 'https://example.com/verify' }, ['PUBLIC_URL']],
    ['an open HOST without trusted proxies', { HOST: '0.0.0.0' }, ['TRUSTED_PROXIES']],
    ['an open HOST with trusted proxies', { HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' }, []],
    ['a loopback HOST', { HOST: '127.0.0.1' }, []],
    ['another identity provider by plain http', { OIDC_ISSUER: 'http://id.example.com' }, ['OIDC_ISSUER']],
  ])('%s', (_, env, missing) => {
    expect(settingsMissing({ ...ready, ...env })).toEqual(missing);
  });

  it('writes the public address as the processes do, since the issuer is compared letter by letter', () => {
    const { publicUrl } = readLocalSettings({ PUBLIC_URL: 'https://Verify.Example.com:443/' });
    expect(publicUrl).toBe('https://verify.example.com');
  });

  it('sells nothing only by decision', () => {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, ...others } = ready;
    expect(settingsMissing(others, true)).toEqual([]);
    expect(problemsOf(ready, true).join()).toContain('--without-payments');
  });
});
