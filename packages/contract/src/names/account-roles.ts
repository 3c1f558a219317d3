/**
 * What a person may do in an account. `owner` everything; `admin` all but closing it; `member` verifies; `viewer` reads results;
 * `billing` sees and pays the bills, and no results.
 */
export const ACCOUNT_ROLES = ['owner', 'admin', 'member', 'viewer', 'billing'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** The other roles that a role includes. */
const included: Record<AccountRole, readonly AccountRole[]> = {
  owner: ['admin', 'member', 'viewer', 'billing'],
  admin: ['member', 'viewer', 'billing'],
  member: ['viewer'],
  viewer: [],
  billing: [],
};

/** Whether a role is enough where `least` is the least that may call; `any` is enough for everybody with an account. */
export const isRoleEnough = (role: AccountRole, least: AccountRole | 'any'): boolean =>
  least === 'any' || role === least || included[role].includes(least);
