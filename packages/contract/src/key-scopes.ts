/** What a customer can allow a scoped API key to do. The calls declare which of them they need. */
export const KEY_SCOPES = ['verify', 'read_results', 'manage_lists', 'guess', 'explain_bounces'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
