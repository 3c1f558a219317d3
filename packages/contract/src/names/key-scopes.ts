/** What a customer can allow a scoped API key to do. The calls declare which of them they need. */
export const KEY_SCOPES = [
  'verify',
  'read_results',
  'manage_lists',
  'guess',
  'manage_webhooks',
  'explain_bounces',
  'report_outcomes',
  'suppressions',
  'manage_feeds',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Whether a test key cannot have the scope: what it is about is live and has no sandbox. */
export const needsLiveKey = (scope: KeyScope | undefined): boolean =>
  scope !== undefined && live.includes(scope);
const live: readonly KeyScope[] = [
  'guess',
  'manage_webhooks',
  'report_outcomes',
  'suppressions',
  'manage_feeds',
];
