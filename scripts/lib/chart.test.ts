import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { hasProgram } from './has-program.ts';
import { type KubernetesObject, renderChart } from './render-chart.ts';

const chart = fileURLToPath(new URL('../../deploy/helm', import.meta.url));
const models = { Deployment, Ingress, Job, NetworkPolicy, PodDisruptionBudget, Service };
const needed = {
  settings: { PUBLIC_URL: 'https://verify.example.com', OIDC_ISSUER: 'https://login.example.com' },
};
const everything = {
  ...needed,
  caSecretName: 'ca',
  imagePullSecrets: [{ name: 'registry' }],
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'verify.example.com',
    tlsSecretName: 'tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '120' },
  },
  networkPolicy: {
    apiFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
  },
};

/** Throws what is wrong by the schema of Kubernetes. */
function validate(found: KubernetesObject): void {
  const Model = models[found.kind as keyof typeof models];
  if (!Model) throw new Error(`No schema is known for ${found.kind}.`);
  new Model(found as never).validate();
}

describe('the Helm chart', () => {
  it.each([
    ['its defaults', needed],
    ['everything turned on', everything],
  ])('makes objects that the schemas of Kubernetes accept, with %s', (_, values) => {
    const objects = renderChart(chart, 'assay', values);
    for (const found of objects) validate(found);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      ...['Deployment assay-api', 'Service assay-api', 'PodDisruptionBudget assay-api'],
      ...('ingress' in values ? ['Ingress assay'] : []),
      'Job assay-migrate',
      ...['NetworkPolicy assay-api', 'NetworkPolicy assay-worker'],
      ...['Deployment assay-worker', 'PodDisruptionBudget assay-worker'],
    ]);
  });

  it('would not pass that check with a mistake', () => {
    const [api] = renderChart(chart, 'assay', needed) as { spec: object }[];
    expect(() => validate({ ...api, spec: { ...api?.spec, replicas: 'two' } } as never)).toThrow('replicas');
  });

  it('refuses values without the addresses that only the operator knows, and unknown ones', () => {
    const check = new Ajv({ allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')),
    );
    const own = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
    expect(check({ ...own, ...needed })).toBe(true);
    expect(check(own)).toBe(false);
    expect(check({ ...own, ...needed, workers: {} })).toBe(false);
  });

  it('passes only settings that exist', () => {
    const table = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    const text = stringify(renderChart(chart, 'assay', everything));
    const named = [...text.matchAll(/- name: ([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name);
    expect(named).toContain('WORKER_METRICS_PORT');
    expect(
      named.filter((name) => name !== 'NODE_EXTRA_CA_CERTS' && !table.includes(`\n| \`${name}\` |`)),
    ).toEqual([]);
  });

  // Where helm is missing, the report says that this did not run.
  it.skipIf(!hasProgram('helm', 'version'))('is rendered by helm as by our renderer', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-chart-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'values.yaml'), stringify(everything));
    const { stdout } = spawnSync(
      'helm',
      ['template', 'assay', chart, '--values', join(folder, 'values.yaml')],
      {
        encoding: 'utf8',
      },
    );
    const byName = (a: KubernetesObject, b: KubernetesObject) =>
      `${a.kind} ${a.metadata.name}` < `${b.kind} ${b.metadata.name}` ? -1 : 1;
    const rendered = parseAllDocuments(stdout).map((document) => document.toJS());
    expect(rendered.sort(byName)).toEqual(renderChart(chart, 'assay', everything).sort(byName));
  });
});
