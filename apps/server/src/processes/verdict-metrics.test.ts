import { expect, it } from 'vitest';
import { createMetrics } from '../platform/metrics/index.ts';
import { countVerdicts } from './verdict-metrics.ts';

it('counts verdicts by provider, those without one, and adds up the 51st provider and later ones', async () => {
  const metrics = createMetrics();
  const verdicts = countVerdicts(metrics);

  verdicts.add('gmail', 'VALID');
  verdicts.add('gmail', 'VALID');
  verdicts.add(undefined, 'INVALID');
  for (let host = 0; host < 60; host += 1) verdicts.add(`mx-of-stranger-${host}`, 'UNKNOWN');
  verdicts.add('gmail', 'INVALID');

  const told = await metrics.registry.metrics();
  expect(told).toContain('assay_verdicts_total{provider="gmail",verdict="VALID"} 2\n');
  expect(told).toContain('assay_verdicts_total{provider="gmail",verdict="INVALID"} 1\n');
  expect(told).toContain('assay_verdicts_total{provider="none",verdict="INVALID"} 1\n');
  // Two of the fifty are the ones above.
  expect(told).toContain('assay_verdicts_total{provider="other",verdict="UNKNOWN"} 12\n');
  expect(told.match(/^assay_verdicts_total\{provider="mx-of-stranger-/gm)).toHaveLength(48);
});
