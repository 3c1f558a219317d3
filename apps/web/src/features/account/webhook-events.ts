import { type ChosenEventType, WEBHOOK_EVENT_TYPES, type Webhook } from '@assay/contract';

/** The types that a webhook can choose, as people read them. */
export const eventChoices: Readonly<Record<ChosenEventType, { name: string; sentence: string }>> = {
  'email_validation.completed': { name: 'Single finished', sentence: 'A single check has its verdict.' },
  'list.completed': { name: 'List finished', sentence: 'Every address of a list has its result.' },
  'list.failed': { name: 'List failed', sentence: 'A list could not be read, and cost nothing.' },
  'balance.low': { name: 'Balance low', sentence: 'Your balance fell below one of your thresholds.' },
};

/** In our order. A newer server may send types that this version does not know. */
export const knownTypes = (types: readonly string[]): ChosenEventType[] =>
  WEBHOOK_EVENT_TYPES.filter((type) => types.includes(type));

const names: Readonly<Record<string, string>> = {
  ...Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, eventChoices[type].name])),
  'webhook.test': 'Test',
};
export const eventName = (type: string): string => names[type] ?? type;

export const eventTypesText = ({ event_types }: Pick<Webhook, 'event_types'>): string =>
  event_types === null ? 'All events' : event_types.map(eventName).join(', ');
