import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Channels that cases can be sent to. */
const caseChannels = ['mail', 'webhook'] as const;
export type CaseChannelName = (typeof caseChannels)[number];

/** Sends a case to one channel, so that each channel is retried separately. */
export const sendCaseJob = defineJob({
  name: 'support.send-case',
  payload: z.strictObject({ ownerId: z.uuid(), caseId: z.uuid(), channel: z.enum(caseChannels) }),
  expireSeconds: 120,
  // With waits that grow to five minutes, about a week. A channel that is down longer needs a person.
  retryLimit: 2_000,
  retryDelaySeconds: 2,
  startsAtOnce: true,
});
