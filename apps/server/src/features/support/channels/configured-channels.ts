import type { Config } from '../../../platform/config/index.ts';
import type { CaseChannelName } from '../support.jobs.ts';
import type { CaseChannel } from './case-channel.ts';
import { createMailChannel } from './mail-channel.ts';
import { createWebhookChannel } from './webhook-channel.ts';

export type SupportConfig = Config['support'];

export function configuredChannels({ mail, webhook }: SupportConfig): CaseChannelName[] {
  return [...(mail ? (['mail'] as const) : []), ...(webhook ? (['webhook'] as const) : [])];
}

export function createCaseChannels({ mail, webhook }: SupportConfig): CaseChannel[] {
  return [...(mail ? [createMailChannel(mail)] : []), ...(webhook ? [createWebhookChannel(webhook)] : [])];
}
