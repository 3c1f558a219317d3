import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** With a wait that grows to five minutes, about a week: a provider that is away longer than that needs a person. */
const retryLimit = 2_000;

/** Removes the rows and files of a customer who is gone. */
export const removeRemainsJob = defineJob({
  name: 'account.remove-remains',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 3_600,
  retryLimit,
  retryDelaySeconds: 10,
  startsAtOnce: true,
});

/** Removes a customer who is gone at the identity provider too. */
export const deleteIdentityJob = defineJob({
  name: 'account.delete-identity',
  payload: z.strictObject({ subject: z.string() }),
  expireSeconds: 60,
  retryLimit,
  retryDelaySeconds: 2,
  startsAtOnce: true,
});
