/** The types of events that a webhook can choose. Tests are sent to every webhook. */
export const WEBHOOK_EVENT_TYPES = [
  'email_validation.completed',
  'list.completed',
  'list.failed',
  'balance.low',
] as const;
export type ChosenEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Limits of a customer's webhooks. */
export const WEBHOOKS = {
  countMax: 10,
  /** Waiting events are counted up to here. */
  waitingCountMax: 1_000,
} as const;
