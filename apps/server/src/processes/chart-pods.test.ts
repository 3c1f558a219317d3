import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@assay/postgres/testing/free-port';
import { startObjectStore } from '@assay/stand-ins/object-store';
import { expect, it, onTestFinished } from 'vitest';
import { type KubernetesObject, renderChart } from '../../../../scripts/lib/render-chart.ts';
import { settingsOf } from '../platform/files/testing/s3-store.ts';
import { createBareDatabase } from '../testing/database.ts';
import { startTestIssuer } from '../testing/issuer.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Container {
  readonly name: string;
  readonly args: string[];
  readonly env: { name: string; value: string }[];
  readonly envFrom: { secretRef: { name: string } }[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}
interface Probe {
  readonly httpGet: { path: string; port: string };
}

const containerOf = (objects: readonly KubernetesObject[], kind: string, name: string): Container => {
  const found = objects.filter((one) => one.kind === kind && one.metadata.name === name);
  const [spec] = found.map((one) => one.spec as { template: { spec: { containers: [Container] } } });
  if (!spec) throw new Error(`The chart has no ${kind} ${name}.`);
  return spec.template.spec.containers[0];
};

it('the pods of the Helm chart run as processes on an external database and bucket, and their probes answer', async () => {
  const database = await createBareDatabase();
  const issuer = await startTestIssuer();
  const store = await startObjectStore();
  const web = await mkdtemp(join(tmpdir(), 'assay-chart-'));
  onTestFinished(async () => {
    await Promise.all([issuer.close(), store.close(), rm(web, { recursive: true })]);
    await database.drop();
  });
  const { ASSAY_FILES = '', S3_ENDPOINT = '', ...storeSecrets } = settingsOf(store) as Record<string, string>;
  const secrets: Record<string, Record<string, string>> = {
    credentials: { DATABASE_URL: database.url, ASSAY_SECRET: 'x'.repeat(32), ...storeSecrets },
  };
  const objects = renderChart(join(root, 'deploy/helm'), 'try', {
    secretName: 'credentials',
    settings: {
      PUBLIC_URL: 'https://assay.test',
      OIDC_ISSUER: issuer.url,
      ASSAY_FILES,
      S3_ENDPOINT,
      ASSAY_WEB_APP: 'none',
      ASSAY_EGRESS_TARGETS: 'none',
      ASSAY_BLOCK_LISTS: 'none',
    },
    api: { port: await freePort(), metricsPort: await freePort(), drainSeconds: 0 },
    worker: { metricsPort: await freePort() },
  });

  /** What a kubelet does with a container: the image's entry point with the arguments, in the environment of the pod. */
  const start = ({ args, env, envFrom }: Container) => {
    const said: string[] = [];
    const child = spawn(process.execPath, ['apps/server/bin/assay.mjs', ...args], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        ASSAY_DATA: web,
        ...Object.assign({}, ...envFrom.map(({ secretRef }) => secrets[secretRef.name])),
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    return { child, said };
  };
  const probe = ({ ports }: Container, { httpGet }: Probe) => {
    const port = ports?.find(({ name }) => name === httpGet.port)?.containerPort;
    return fetch(`http://127.0.0.1:${port}${httpGet.path}`).then(
      ({ status }) => status,
      () => 0,
    );
  };

  const [migrated] = await once(start(containerOf(objects, 'Job', 'try-migrate')).child, 'exit');
  expect(migrated).toBe(0);
  for (const name of ['try-api', 'try-worker']) {
    const container = containerOf(objects, 'Deployment', name);
    const { child, said } = start(container);
    onTestFinished(() => void child.kill('SIGKILL'));
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const one of [startupProbe, livenessProbe, readinessProbe]) {
      const answer = () => (one && child.exitCode === null ? probe(container, one) : said.join(''));
      if (one) await expect.poll(answer, { timeout: 100_000 }).toBe(200);
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
  // Three processes start one after the other.
}, 300_000);
