import { Counter } from 'prom-client';
import type { Logger } from '../../platform/logging/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { peopleLists } from '../guessing/index.ts';
import { emailLists } from '../verification/index.ts';
import type { OperatorQueueParts } from './standing.ts';

export interface RepairParts extends OperatorQueueParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const listsOfKinds = { emails: emailLists, people: peopleLists } as const;

/** Restarts lists whose jobs were lost, of every kind. A repair hides a defect, so each one is logged and counted for an alert. */
export function createListRepair(parts: RepairParts): (signal: AbortSignal) => Promise<void> {
  const repairs = new Counter({
    name: 'assay_lists_repaired_total',
    help: 'Running lists without a job that were restarted, by kind. Alert above 0.',
    labelNames: ['kind'],
    registers: [parts.metrics.registry],
  });
  // Prometheus sees an increase only if the series exists before.
  for (const kind of Object.keys(listsOfKinds)) repairs.inc({ kind }, 0);
  return async (signal) => {
    for (const [kind, lists] of Object.entries(listsOfKinds)) {
      for await (const { ownerId, listId } of lists.control.repair(parts, signal)) {
        repairs.inc({ kind });
        parts.logger.error(
          { kind, owner_id: ownerId, list_id: listId },
          'a running list had no job; restarted it',
        );
      }
    }
  };
}
