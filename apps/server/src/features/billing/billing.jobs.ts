import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

const nothing = z.strictObject({});

/** Tops up Free plans whose day has come. Missed runs cost nothing: whoever is due stays due. */
export const renewFreePlansJob = defineJob({
  name: 'billing.renew-free-plans',
  payload: nothing,
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

/** Re-sums the whole ledger every night. */
export const auditLedgerJob = defineJob({
  name: 'billing.audit-ledger',
  payload: nothing,
  schedule: '17 3 * * *',
  expireSeconds: 6 * 3_600,
  retryLimit: 2,
  retryDelaySeconds: 60,
});
