/** What a customer can allow a scoped API key to do. The calls declare which of them they need. */
export const KEY_SCOPES = [
  'verify',
  'read_results',
  'manage_lists',
  'guess',
  'manage_webhooks',
  'explain_bounces',
  'report_outcomes',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Whether a test key cannot have the scope: guessing and outcomes have no sandbox, and webhooks get live events. */
export const needsLiveKey = (scope: KeyScope | undefined): boolean =>
  scope === 'guess' || scope === 'manage_webhooks' || scope === 'report_outcomes';
