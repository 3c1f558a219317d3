/** What a person may do in an account. */
export const ACCOUNT_ROLES = ['owner', 'admin', 'member', 'viewer', 'billing'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];
