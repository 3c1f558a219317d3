import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

const nothing = z.strictObject({});

/** Tops up Free plans that are due. A missed run loses nothing, because they stay due. */
export const renewFreePlansJob = defineJob({
  name: 'billing.renew-free-plans',
  payload: nothing,
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

/** Recomputes the whole ledger every night. */
export const auditLedgerJob = defineJob({
  name: 'billing.audit-ledger',
  payload: nothing,
  schedule: '17 3 * * *',
  expireSeconds: 6 * 3_600,
  retryLimit: 2,
  retryDelaySeconds: 60,
});

/** Sets up new customers at the payment provider, removes deleted ones and ends plans after their grace days. */
export const maintainPaymentsJob = defineJob({
  name: 'billing.tend-payments',
  payload: nothing,
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

/** Fetches renewals whose events from the payment provider did not arrive. */
export const catchUpPaymentsJob = defineJob({
  name: 'billing.catch-up-payments',
  payload: nothing,
  schedule: '41 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

/** Buys a pack for one customer. The database requests it when the balance falls below the customer's mark. */
export const topUpBalanceJob = defineJob({
  name: 'billing.top-up-balance',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 300,
  retryLimit: 0,
});

/** The same for all customers, in case a request was lost. An order that is not settled is tried again. */
export const topUpBalancesJob = defineJob({
  name: 'billing.top-up-balances',
  payload: nothing,
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
