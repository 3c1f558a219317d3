import type { Finding } from '@assay/verifier';
import { isTraced, recordSteps } from '../../platform/tracing/index.ts';

/** Enough to see where time goes; a long list would otherwise fill the collector. */
const checksMax = 10;

/** Adds the checks of addresses to the trace of their job, with the stages of their evidence. Never the addresses. */
export function traceChecks<Item>(
  findings: readonly Finding<Item>[],
  now: Date,
  /** Of a list: finds the address of a check without naming it. */
  rowNumberOf?: (item: Item) => number,
): void {
  if (!isTraced()) return;
  for (const { item, result, reason, evidence } of findings.slice(0, checksMax)) {
    const steps = evidence.map(({ stage, ms = 0, rule = '' }) => ({
      name: stage,
      durationMs: ms,
      attributes: { 'assay.rule': rule },
    }));
    const durationMs = steps.reduce((sum, step) => sum + step.durationMs, 0);
    recordSteps({
      name: 'check',
      startMs: now.getTime() - durationMs,
      durationMs,
      attributes: {
        'assay.verdict': result,
        'assay.reason': reason,
        ...(rowNumberOf && { 'assay.row': rowNumberOf(item) }),
      },
      steps,
    });
  }
}
