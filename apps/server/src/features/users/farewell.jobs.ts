import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Tells a person that their account is closed. By then nothing else knows the address, so the job carries it. */
export const mailFarewellJob = defineJob({
  name: 'notices.mail-farewell',
  payload: z.strictObject({ address: z.string() }),
  expireSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 30,
});
