import { ACTIVITY_WORDS, type ActivityKind, topUpStopSchema } from '@assay/contract';
import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Collects lists that completed or failed, so that a customer with many short lists gets one mail for all of them. */
export const collectEndedListsJob = defineJob({
  name: 'notices.collect-completed-lists',
  payload: z.strictObject({}),
  schedule: '*/5 * * * *',
  expireSeconds: 300,
  retryLimit: 0,
});

const listSchema = z.strictObject({ kind: z.enum(['emails', 'people']), listId: z.uuid() });

export const mailEndedListsJob = defineJob({
  name: 'notices.mail-completed-lists',
  payload: z.strictObject({ ownerId: z.uuid(), lists: z.array(listSchema) }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});
export type EndedLists = z.output<typeof mailEndedListsJob.payload>;

/** Looks at one customer's balance. The database requests it when the balance crosses a threshold or a top-up stops. */
export const watchBalanceJob = defineJob({
  name: 'notices.watch-balance',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 60,
  retryLimit: 0,
});

/** Looks at all balances, in case a request was lost. */
export const watchBalancesJob = defineJob({
  name: 'notices.watch-balances',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 300,
  retryLimit: 0,
});

/** Looks at what a customer's activity log has that is worth a mail. The database requests it when such an entry is added. */
export const watchActivityJob = defineJob({
  name: 'notices.watch-activity',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 60,
  retryLimit: 0,
});

/** Looks at all customers, in case a request was lost. */
export const watchActivitiesJob = defineJob({
  name: 'notices.watch-activities',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 300,
  retryLimit: 0,
});

const textOrNull = z.nullable(z.string());

export const mailSecurityNewsJob = defineJob({
  name: 'notices.mail-security-news',
  payload: z.strictObject({
    ownerId: z.uuid(),
    news: z.array(
      z.strictObject({
        kind: z.enum(Object.keys(ACTIVITY_WORDS) as [ActivityKind, ...ActivityKind[]]),
        about: textOrNull,
        address: textOrNull,
        agent: textOrNull,
        key: z.optional(z.strictObject({ id: z.string(), name: textOrNull })),
        recordedAt: z.string(),
      }),
    ),
  }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});

export const mailPlanNewsJob = defineJob({
  name: 'notices.mail-plan-news',
  payload: z.strictObject({
    ownerId: z.uuid(),
    kind: z.enum(['plan.changed', 'plan.payment_failed']),
    about: z.string(),
  }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});

export const mailBalanceNewsJob = defineJob({
  name: 'notices.mail-balance-news',
  payload: z.strictObject({
    ownerId: z.uuid(),
    low: z.optional(z.strictObject({ threshold: z.number(), balance: z.number() })),
    stoppedBecause: z.optional(topUpStopSchema),
    reachedCap: z.optional(z.strictObject({ capCents: z.number(), until: z.string() })),
  }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});
export type BalanceNews = Omit<z.output<typeof mailBalanceNewsJob.payload>, 'ownerId'>;
