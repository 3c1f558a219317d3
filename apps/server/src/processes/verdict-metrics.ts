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

export interface AnswerCounter {
  add(labels: { readonly egress: string; readonly provider: string; readonly weather: string }): void;
}

/** Only providers with published limits have a name here, so the labels are few. */
export function countAnswers({ registry }: Metrics): AnswerCounter {
  const answers = new Counter({
    name: 'assay_provider_answers_total',
    help: 'How mail providers answered, by egress, provider and kind.',
    labelNames: ['egress', 'provider', 'kind'],
    registers: [registry],
  });
  return { add: ({ egress, provider, weather }) => answers.inc({ egress, provider, kind: weather }) };
}
