import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Where cases can be sent. */
const caseChannels = ['mail', 'webhook'] as const;
export type CaseChannelName = (typeof caseChannels)[number];

/** Sends a case to one place, so that each is tried on its own until it takes the case. */
export const sendCaseJob = defineJob({
  name: 'support.send-case',
  payload: z.strictObject({ ownerId: z.uuid(), caseId: z.uuid(), channel: z.enum(caseChannels) }),
  expireSeconds: 120,
  // With a wait that grows to five minutes, about a week: a place that is away longer than that needs a person.
  retryLimit: 2_000,
  retryDelaySeconds: 2,
  startsAtOnce: true,
});
