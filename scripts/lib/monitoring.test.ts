import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasProgram } from './has-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The metrics that our code declares, with the names under which Prometheus collects histograms. */
async function declaredMetrics(): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const file of glob('apps/server/src/**/*.ts', { cwd: root })) {
    const source = await readFile(join(root, file), 'utf8');
    for (const [, kind, name = ''] of source.matchAll(/(Histogram)?\(\{\s+name: '(assay_\w+)'/g)) {
      const suffixes = kind === 'Histogram' ? ['_bucket', '_count', '_sum'] : [''];
      for (const suffix of suffixes) names.add(`${name}${suffix}`);
    }
  }
  return names;
}

const metricsIn = (text: string): string[] => [...new Set(text.match(/\bassay_\w+/g) ?? [])].sort();

describe.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/assay.json'])('%s', (path) => {
  it('names only metrics that exist', async () => {
    const declared = await declaredMetrics();
    const named = metricsIn(await readFile(join(root, path), 'utf8'));

    expect(declared).toContain('assay_dead_letters');
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !declared.has(name))).toEqual([]);
  });
});

it('no metric has a label that Prometheus gives to what it collects from', async () => {
  const labels = new Set<string>();
  for await (const file of glob('apps/server/src/**/*.ts', { cwd: root })) {
    const source = await readFile(join(root, file), 'utf8');
    for (const [, names = ''] of source.matchAll(/labelNames: \[([^\]]*)\]/g)) {
      for (const [, name = ''] of names.matchAll(/'(\w+)'/g)) labels.add(name);
    }
  }

  expect(labels).toContain('egress');
  expect(['job', 'instance'].filter((name) => labels.has(name))).toEqual([]);
});

it('every metric for which the documentation asks for an alert has one', async () => {
  const documentation = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const wanted = documentation
    .split('\n')
    .filter((line) => line.startsWith('| `assay_') && line.includes('alert'))
    .map((line) => line.match(/assay_\w+/)?.[0] ?? '');
  const rules = metricsIn(await readFile(join(root, 'deploy/prometheus/alerts.yml'), 'utf8'));

  expect(wanted.length).toBeGreaterThan(2);
  expect(rules).toEqual(expect.arrayContaining(wanted));
});

it('the dashboard shows each panel in a place of its own', async () => {
  const { panels } = JSON.parse(await readFile(join(root, 'deploy/grafana/assay.json'), 'utf8')) as {
    panels: { id: number; title: string; gridPos: { x: number; y: number }; targets: unknown[] }[];
  };

  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  expect(panels.every(({ targets }) => targets.length > 0)).toBe(true);
});

it('every alert has a runbook', async () => {
  const rules = await readFile(join(root, 'deploy/prometheus/alerts.yml'), 'utf8');
  const runbooks = await readFile(join(root, 'docs/runbooks.md'), 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
  const links = [...rules.matchAll(/runbook: "docs\/runbooks\.md#(\w+)"/g)].map(([, link = '']) => link);

  expect(alerts.length).toBeGreaterThan(15);
  expect(sections.sort()).toEqual([...alerts].sort());
  expect(links).toEqual(alerts.map((name) => name.toLowerCase()));
});

const alertTests = ['alerts.test.yml', 'alerts-of-days.test.yml'];

it('every alert has a test in which it fires, and one in which it is silent', async () => {
  const rules = await readFile(join(root, 'deploy/prometheus/alerts.yml'), 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const texts = await Promise.all(
    alertTests.map((name) => readFile(join(root, 'deploy/prometheus', name), 'utf8')),
  );
  const tried = texts
    .flatMap((text) => (parse(text) as AlertTests).tests)
    .flatMap(({ alert_rule_test: tests }) => tests);
  const namesOf = (wanted: typeof tried) => [...new Set(wanted.map(({ alertname }) => alertname))].sort();

  expect(namesOf(tried.filter(({ exp_alerts: fire }) => fire.length > 0))).toEqual(alerts.toSorted());
  expect(namesOf(tried.filter(({ exp_alerts: fire }) => fire.length === 0))).toEqual(alerts.toSorted());
});

interface AlertTests {
  readonly tests: { readonly alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
}

// Debian's package prometheus.
it.runIf(hasProgram('promtool'))(
  'alerts fire when they should, the last worker and lost jobs within two minutes, and are silent before',
  () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...alertTests], {
      cwd: join(root, 'deploy/prometheus'),
      encoding: 'utf8',
    });
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  },
);
