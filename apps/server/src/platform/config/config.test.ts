import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readConfig, readDatabaseConfig, readIdentityConfig, readVerifierConfig } from './config.ts';
import { ConfigError, type Setting } from './setting.ts';
import { settings } from './settings.ts';

const required = {
  DATABASE_URL: 'postgres://assay:pw@127.0.0.1:5432/assay',
  OIDC_ISSUER: 'https://id.example.com/realms/assay',
  ASSAY_SECRET: 'x'.repeat(32),
};

const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('readConfig', () => {
  it('needs only a database, an issuer and a secret', () => {
    const config = readConfig(required);

    expect(config.http).toMatchObject({ port: 3000, host: '127.0.0.1', trustedProxies: [] });
    expect(config).toMatchObject({ publicUrl: 'http://localhost:3000', stage: 'production' });
    expect(config.identity.audience).toBe('http://localhost:3000/api');
    expect(config.metrics.port).toBe(3009);
  });

  it('derives addresses from the port', () => {
    const config = readConfig({ ...required, PORT: '4100' });

    expect(config.publicUrl).toBe('http://localhost:4100');
    expect(config.metrics.port).toBe(4109);
  });

  it('takes an empty variable as not given', () => {
    expect(readConfig({ ...required, PORT: '', ASSAY_STAGE: ' ' }).http.port).toBe(3000);
  });

  it('names every mistake at once', () => {
    const problems = problemsOf({
      ...required,
      DATABASE_URL: undefined,
      PORT: '70000',
      ASSAY_STAGE: 'test',
      PUBLIC_URL: 'https://assay.example/app',
      TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
      ASSAY_ALLOW_RANGES: '127.0.0.0/8@99999',
    });

    expect(problems.map((line) => line.split(' ')[0]).sort()).toEqual(
      ['ASSAY_ALLOW_RANGES', 'ASSAY_STAGE', 'DATABASE_URL', 'PORT', 'PUBLIC_URL', 'TRUSTED_PROXIES'].sort(),
    );
    expect(problems).toContain("PORT must be a whole number from 1 to 65535, but is '70000'.");
  });

  it('never repeats a secret in a message', () => {
    const problems = problemsOf({
      ...required,
      ASSAY_SECRET: 'too-short-secret',
      DATABASE_URL: 'mysql://assay:hunter2@db/assay',
      SMTP_RELAY_URL: 'http://mail:hunter2@relay',
    });

    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toMatch(/too-short-secret|hunter2/);
  });

  it('names what goes with an address for support cases, and repeats no secret', () => {
    const problems = problemsOf({
      ...required,
      SUPPORT_MAIL_TO: 'sales@assay.test',
      SUPPORT_WEBHOOK_URL: 'https://crm.assay.test/cases',
      SUPPORT_WEBHOOK_SECRET: 'whsec_dG9vIHNob3J0',
    });

    expect(problems.map((line) => line.split(' ')[0]).sort()).toEqual([
      'SMTP_RELAY_URL',
      'SUPPORT_WEBHOOK_SECRET',
    ]);
    expect(problems.join()).not.toContain('dG9vIHNob3J0');
  });

  it('keeps files in the data folder, in a folder of their own, or in a bucket', () => {
    const filesOf = (env: NodeJS.ProcessEnv) => readConfig({ ...required, ...env }).files;
    const bucket = { kind: 's3', endpoint: null, region: 'us-east-1', credentials: null };

    expect(filesOf({ ASSAY_DATA: '/srv/assay' })).toEqual({ kind: 'folder', folder: '/srv/assay/files' });
    expect(filesOf({ ASSAY_FILES: '/mnt/files' })).toEqual({ kind: 'folder', folder: '/mnt/files' });
    expect(filesOf({ ASSAY_FILES: 's3://my.bucket' })).toEqual({
      ...bucket,
      bucket: 'my.bucket',
      prefix: '',
    });
    expect(filesOf({ ASSAY_FILES: 's3://assay/env/blue/' })).toMatchObject({ prefix: 'env/blue/' });
    expect(
      filesOf({
        ASSAY_FILES: 's3://assay',
        S3_ENDPOINT: 'http://minio:9000',
        S3_REGION: 'RegionOne',
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'secret',
      }),
    ).toMatchObject({
      endpoint: 'http://minio:9000/',
      region: 'RegionOne',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
  });

  it('names the half of a bucket’s credentials that is missing, and repeats no secret', () => {
    const bucket = { ...required, ASSAY_FILES: 's3://assay' };

    expect(problemsOf({ ...bucket, S3_ACCESS_KEY_ID: 'AKIA' }).join()).toMatch(
      /^S3_SECRET_ACCESS_KEY must be given/,
    );
    const problems = problemsOf({
      ...bucket,
      S3_SECRET_ACCESS_KEY: 'hunter2',
      S3_ENDPOINT: 'http://key:hunter2@minio:9000',
    });
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['S3_ENDPOINT', 'S3_ACCESS_KEY_ID']);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each([
    ['OIDC_ISSUER', 'http://id.example.com'],
    ['OIDC_ISSUER', 'ftp://id.example.com'],
    ['PUBLIC_URL', 'assay.example'],
    ['ASSAY_DNS', '127.0.0.1'],
    ['ASSAY_DOCS_URL', '//evil.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['LOG_LEVEL', 'loud'],
    ['SUPPORT_MAIL_TO', 'two@assay.test, mailboxes@assay.test'],
    ['DATABASE_POOL_SIZE', '1.5'],
    ['ASSAY_FILES', 'gs://assay'],
    ['ASSAY_FILES', 's3://'],
    ['ASSAY_FILES', 's3://Assay_Files'],
    ['ASSAY_FILES', 's3://assay/../other'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ ...required, [name]: value })).toHaveLength(1);
  });

  it.each(['http://localhost:3001', 'http://127.0.0.1:3001', 'http://[::1]:3001'])(
    'takes a plain-http issuer on loopback: %s',
    (issuer) => {
      expect(readConfig({ ...required, OIDC_ISSUER: issuer }).identity.issuer).toBe(issuer);
    },
  );

  it('serves the embedded provider below PUBLIC_URL, reaches it directly and manages its accounts, with IDENTITY_URL alone', () => {
    const { OIDC_ISSUER, ...others } = required;
    const env = { ...others, PUBLIC_URL: 'https://assay.test', IDENTITY_URL: 'http://identity:3001' };
    expect(readConfig(env).identity).toMatchObject({
      issuer: 'https://assay.test/identity',
      reachedAt: 'http://identity:3001/identity',
      pages: { url: 'http://identity:3001', path: '/identity' },
      admin: { kind: 'keycloak', url: 'http://identity:3001/identity/realms/assay', clientId: 'assay-admin' },
    });
    // At a name of its own, a proxy leads to it.
    expect(readConfig({ ...env, OIDC_ISSUER: 'https://id.assay.test' }).identity).toMatchObject({
      reachedAt: 'http://identity:3001',
      pages: null,
    });
    expect(problemsOf({ ...env, ASSAY_SECRET: '' })).toHaveLength(1);
    expect(readConfig(required).identity).toMatchObject({ reachedAt: null, pages: null, admin: null });
  });

  it('starts the embedded provider only with a public address and a relay', () => {
    const env = { DATABASE_URL: required.DATABASE_URL, ASSAY_SECRET: required.ASSAY_SECRET };
    expect(() => readIdentityConfig(env)).toThrow(
      /PUBLIC_URL must be given[\s\S]*SMTP_RELAY_URL must be given/,
    );
    const given = { PUBLIC_URL: 'https://assay.test', SMTP_RELAY_URL: 'smtp://relay', PORT: '4000' };
    expect(readIdentityConfig({ ...env, ...given })).toMatchObject({
      issuer: 'https://assay.test/identity',
      audience: 'https://assay.test/api',
      mailFrom: 'no-reply@assay.test',
      host: '127.0.0.1',
      port: 4001,
    });
  });

  it('plans statements once unless a pooler is between the product and PostgreSQL', () => {
    const direct = 'postgres://assay:pw@127.0.0.1:5433/assay';
    const { database } = readConfig({ ...required, DATABASE_DIRECT_URL: direct });
    expect(database).toMatchObject({ url: required.DATABASE_URL, directUrl: direct, plansOnce: false });
  });

  it('lets commands that only touch the database run without the rest', () => {
    expect(readDatabaseConfig({ DATABASE_URL: required.DATABASE_URL })).toEqual({
      url: required.DATABASE_URL,
      directUrl: required.DATABASE_URL,
      plansOnce: true,
      poolSize: 10,
      replicaUrl: null,
    });
    expect(() => readDatabaseConfig({})).toThrow(/DATABASE_URL must be given/);
  });

  it('is documented setting by setting in docs/configuration.md', async () => {
    const page = await readFile(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
    const table = Object.values<Setting<unknown>>(settings).map(
      ({ name, meaning, default: value, otherwise = '**must be given**', note }) =>
        `| \`${name}\` | ${[value ?? otherwise, note].filter(Boolean).join('; ')} | ${meaning} |`,
    );

    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(table);
  });
});

describe('ASSAY_EGRESSES', () => {
  const read = (value: string) =>
    readVerifierConfig({ ASSAY_EGRESSES: value, ASSAY_HELO: 'probe.example.com' }).egresses;

  it('lists local addresses and SOCKS5 proxies, each with its own HELO, sender, weight and limit', () => {
    const value =
      'a=192.0.2.1;weight=3, b=socks5://user:se%40cret@proxy.example.com:9050;helo=b.example.com;address=198.51.100.7;connections=100;mail_from=v@b.example.com';
    expect(read(value)).toEqual([
      {
        name: 'a',
        via: { kind: 'local', address: '192.0.2.1' },
        helo: 'probe.example.com',
        mailFrom: 'verify@probe.example.com',
        address: null,
        weight: 3,
        connections: 500,
      },
      {
        name: 'b',
        via: { kind: 'socks5', host: 'proxy.example.com', port: 9050, username: 'user', password: 'se@cret' },
        helo: 'b.example.com',
        mailFrom: 'v@b.example.com',
        address: '198.51.100.7',
        weight: 1,
        connections: 100,
      },
    ]);
  });

  it('is one egress named by ASSAY_EGRESS when not given', () => {
    expect(read('')).toMatchObject([{ name: 'default', via: { kind: 'local' }, weight: 1 }]);
  });

  it.each([
    ['a=192.0.2.1,a=192.0.2.2', 'each egress its own name'],
    ['a=http://proxy:1', 'an IP address or socks5://'],
    ['a=192.0.2.1;speed=9', "unknown part 'speed'"],
    ['a=192.0.2.1;weight=0', 'whole number from 1 to 100'],
    ['A!=192.0.2.1', 'lower-case letters'],
    ['a=192.0.2.1;constructor=1', "unknown part 'constructor'"],
    ['a=socks5://user:100%@proxy', 'percent-encoded'],
    [`a=socks5://user:${'x'.repeat(256)}@proxy`, 'at most 255 bytes'],
  ])('%s is refused', (value, message) => {
    expect(() => read(value)).toThrow(message);
  });

  it.each([
    'a=socks4://user:hunter2@proxy',
    'a=socks5://user:12;hunter2@proxy:1080',
    'a=socks5://user:12,hunter2@proxy:1080',
    'a=socks5://user:hunter2%@proxy',
  ])('never repeats the password of %s', (value) => {
    expect(() => read(value)).toThrow(ConfigError);
    expect(() => read(value)).toThrow(/^(?!.*hunter2)/s);
  });
});
