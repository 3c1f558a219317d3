import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onFreePorts } from './ports.ts';
import { readLocalSettings } from './settings.ts';

/** Another program at a port of its own, or at the given place. */
async function occupy(host = '127.0.0.1', port = 0): Promise<number> {
  const program = createServer().listen(port, host);
  await once(program, 'listening');
  onTestFinished(() => void program.close());
  return (program.address() as { port: number }).port;
}

async function choose(env: NodeJS.ProcessEnv, wantedPort: number) {
  const said: string[] = [];
  const settings = readLocalSettings({ PORT: String(wantedPort) });
  const chosen = await onFreePorts(settings, { env, isDev: false, say: (line) => said.push(line) });
  return { chosen, said: said.join('\n') };
}

describe('the ports of npm start', () => {
  it('stay as wanted when all are free', async () => {
    const { chosen, said } = await choose({}, await freeRange());

    expect(said).toBe('');
    expect(chosen.publicUrl).toBe(`http://localhost:${chosen.port}`);
  });

  it('move to a free range when PORT is not given, and say so', async () => {
    const taken = await occupy('127.0.0.1', await freeRange());

    const { chosen, said } = await choose({}, taken);

    expect(chosen.port).not.toBe(taken);
    expect(chosen.publicUrl).toBe(`http://localhost:${chosen.port}`);
    expect(said).toContain(`Port ${taken} (the product) is taken by another program.`);
    expect(said).toContain(`Assay uses ports ${chosen.port} to ${chosen.port + 10} instead`);
  });

  it.each([
    ['PORT', (port: number) => ({ PORT: String(port) })],
    ['PUBLIC_URL', () => ({ PUBLIC_URL: 'https://assay.example' })],
    ['OIDC_ISSUER', () => ({ OIDC_ISSUER: 'https://identity.example' })],
  ])('stop with a range that is free when %s is given', async (_, envFor) => {
    const wanted = await freeRange();
    const taken = await occupy('127.0.0.1', wanted + 2);

    const failure = await choose(envFor(wanted), wanted).catch((error: Error) => error.message);

    const advised = Number(/PORT=(\d+) npm start$/.exec(String(failure))?.[1]);
    expect(failure).toContain(`Port ${taken} (payments) is taken by another program.`);
    expect(failure).toContain(`ports ${advised} to ${advised + 10}, which are free`);
    // What it advises works.
    await expect(choose({ PORT: String(advised) }, advised)).resolves.toMatchObject({ said: '' });
  });

  it('count as taken when another program answers at them for IPv6 browsers', async () => {
    const taken = await occupy('::1');

    const { chosen } = await choose({}, taken);

    expect(chosen.port).not.toBe(taken);
  });

  it('name the setting when a port of its own is taken', async () => {
    const [wanted, metrics] = [await freeRange(), await freeRange()];
    const taken = await occupy('127.0.0.1', metrics + 1);

    await expect(choose({ METRICS_PORT: String(metrics) }, wanted)).rejects.toThrow(
      `Port ${taken} (metrics of the worker) is taken by another program. Stop it, or give another port as METRICS_PORT.`,
    );

    await occupy('127.0.0.1', metrics);
    await expect(choose({ METRICS_PORT: String(metrics) }, wanted)).rejects.toThrow(
      `Ports ${metrics} (metrics) and ${taken} (metrics of the worker) are taken by another program. Stop it, or give another port as METRICS_PORT.`,
    );
  });
});

/** The start of a range that is free now. It is below the ports that systems give to programs that ask for any. */
async function freeRange(): Promise<number> {
  const { chosen } = await choose({}, randomInt(11_000, 30_000));
  return chosen.port;
}
