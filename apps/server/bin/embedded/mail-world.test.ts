import { freePort } from '@assay/postgres/testing/free-port';
import { createVerifier } from '@assay/verifier';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/index.ts';
import { runMailWorld } from './mail-world.ts';

function run(argv: string[], stopped: Promise<unknown> = Promise.resolve()) {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    env: {},
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const code = runMailWorld(argv, io as never, stopped);
  return { code, out: () => out.join(''), err: () => err.join('') };
}

describe('assay mail-world', () => {
  it('prints settings with which the product finds a mail world, until it is stopped', async () => {
    const stop = Promise.withResolvers<void>();
    const argv = ['--dns-port', `${await freePort()}`, '--smtp-port', `${await freePort()}`];
    const { code, out } = run(argv, stop.promise);
    await expect.poll(out).toMatch(/ASSAY_SANDBOX_RANGES=.+\n/);

    const printed = Object.fromEntries(
      out()
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    const { sandbox } = readConfig({
      DATABASE_URL: 'postgres://assay@127.0.0.1/assay',
      OIDC_ISSUER: 'https://id.assay.test',
      ASSAY_SECRET: 'x'.repeat(32),
      ...printed,
    });
    const verifier = createVerifier({ dns: [sandbox?.dns ?? ''], allowRanges: sandbox?.allowRanges ?? [] });
    expect(await verifier.verify('jane@exists.test')).toMatchObject({ result: 'VALID' });
    expect(await verifier.verify('nobody@exists.test')).toMatchObject({ result: 'INVALID' });
    await verifier.close();
    stop.resolve();
    expect(await code).toBe(0);
  });

  it('prints them as JSON with --json', async () => {
    const argv = ['--dns-port', `${await freePort()}`, '--smtp-port', `${await freePort()}`];
    const { code, out } = run([...argv, '--json']);

    expect(await code).toBe(0);
    expect(out().split('\n')).toHaveLength(2);
    expect(JSON.parse(out())).toMatchObject({ ASSAY_SANDBOX_DNS: `127.0.0.1:${argv[1]}` });
  });

  it.each([[['--dns-port', 'x']], [['--port', '1']], [['now']]])(
    '%j is answered with how to ask',
    async (argv) => {
      const { code, err } = run(argv);

      expect(await code).toBe(2);
      expect(err()).toContain('Usage:');
    },
  );
});
