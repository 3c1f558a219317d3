import { startMailWorld } from '@assay/mail-world';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './egress.ts';

async function checkAt(targets: string, ...argv: string[]) {
  const world = await startMailWorld();
  onTestFinished(() => world.close());
  const out: string[] = [];
  const code = await run(['check', ...argv], {
    env: {
      ASSAY_DNS: world.dns,
      ASSAY_ALLOW_RANGES: world.allowRanges.join(','),
      ASSAY_EGRESS_TARGETS: targets,
      ASSAY_BLOCK_LISTS: 'none',
      ASSAY_HELO: 'probe.exists.test',
    },
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => out.push(text) },
  });
  return { code, out: out.join('') };
}

it('exit code 0 where the mail world takes a connection, and nothing else is asked for', async () => {
  const { code, out } = await checkAt('mx.exists.test');
  expect(out).toMatch(/^ok +port_25 +mx\.exists\.test took a connection\.$/m);
  expect(out).toMatch(/^skipped +block_lists/m);
  expect(code).toBe(0);
});

it('exit code 1 with an explanation and a fix where port 25 is closed', async () => {
  const { code, out } = await checkAt('mx.closed.test');
  expect(out).toMatch(/^PROBLEM +port_25 +No mail host could be reached on port 25 /m);
  expect(out).toContain('open outbound port 25');
  expect(code).toBe(1);
});

it('prints JSON on request', async () => {
  const { out } = await checkAt('mx.exists.test', '--json');
  expect(JSON.parse(out)).toMatchObject({
    egress: 'default',
    findings: [{ check: 'port_25', status: 'ok' }, ...Array(6).fill({})],
  });
});
