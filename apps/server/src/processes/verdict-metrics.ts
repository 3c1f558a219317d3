import { Counter } from 'prom-client';
import type { Metrics } from '../platform/metrics/index.ts';

export interface VerdictCounter {
  /** Without a provider for a domain that takes no mail. */
  add(provider: string | undefined, verdict: string): void;
}

/** Strangers choose the names of their mail hosts: more providers than this are added up as `other`. */
const providersMax = 50;

export function countVerdicts({ registry }: Metrics): VerdictCounter {
  const verdicts = new Counter({
    name: 'assay_verdicts_total',
    help: 'Verdicts of the engine, by provider and verdict.',
    labelNames: ['provider', 'verdict'],
    registers: [registry],
  });
  const known = new Set<string>();
  return {
    add(provider = 'none', verdict) {
      if (known.size < providersMax) known.add(provider);
      verdicts.inc({ provider: known.has(provider) ? provider : 'other', verdict });
    },
  };
}
