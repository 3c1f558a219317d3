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

/** Sets up new customers at the payment provider, removes departed ones and ends plans whose grace is over. */
export const maintainPaymentsJob = defineJob({
  name: 'billing.tend-payments',
  payload: nothing,
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

/** Asks after renewals that the payment provider should have told of. */
export const catchUpPaymentsJob = defineJob({
  name: 'billing.catch-up-payments',
  payload: nothing,
  schedule: '41 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
