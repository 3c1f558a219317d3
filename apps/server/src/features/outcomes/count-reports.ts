import type { OutcomeSource } from '@assay/contract';
import { Counter } from 'prom-client';
import type { Metrics } from '../../platform/metrics/index.ts';

export interface OutcomeCounter {
  add(
    source: OutcomeSource,
    counts: {
      readonly recordedCount: number;
      readonly repeatedCount: number;
      readonly ignoredCount: number;
    },
  ): void;
}

export function createOutcomeCounter({ registry }: Pick<Metrics, 'registry'>): OutcomeCounter {
  const counter = new Counter({
    name: 'assay_outcomes_total',
    help: 'Reports of what happened to mail, by the way they came and by what became of them.',
    labelNames: ['source', 'fate'],
    registers: [registry],
  });
  return {
    add: (source, { recordedCount, repeatedCount, ignoredCount }) => {
      counter.inc({ source, fate: 'recorded' }, recordedCount);
      counter.inc({ source, fate: 'repeated' }, repeatedCount);
      counter.inc({ source, fate: 'ignored' }, ignoredCount);
    },
  };
}
