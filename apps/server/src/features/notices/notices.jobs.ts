import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Collects lists that completed, so that a customer with many short lists gets one mail for all of them. */
export const collectCompletedListsJob = defineJob({
  name: 'notices.collect-completed-lists',
  payload: z.strictObject({}),
  schedule: '*/5 * * * *',
  expireSeconds: 300,
  retryLimit: 0,
});

const listSchema = z.strictObject({ kind: z.enum(['emails', 'people']), listId: z.uuid() });

export const mailCompletedListsJob = defineJob({
  name: 'notices.mail-completed-lists',
  payload: z.strictObject({ ownerId: z.uuid(), lists: z.array(listSchema) }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});
export type CompletedLists = z.output<typeof mailCompletedListsJob.payload>;

/** Looks for balances that fell below a threshold of their customer. */
export const watchBalancesJob = defineJob({
  name: 'notices.watch-balances',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 300,
  retryLimit: 0,
});

export const mailLowBalanceJob = defineJob({
  name: 'notices.mail-low-balance',
  payload: z.strictObject({ ownerId: z.uuid(), threshold: z.number(), balance: z.number() }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});
export type LowBalanceMail = z.output<typeof mailLowBalanceJob.payload>;
