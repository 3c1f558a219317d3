import { describe, expect, it } from 'vitest';
import { ACCOUNT_ROLES, isRoleEnough, type RouteContract, routes } from '../index.ts';

const calls: RouteContract[] = Object.values(routes).flatMap((feature) => Object.values(feature));
const namesOf = (chosen: readonly RouteContract[]) => chosen.map(({ method, path }) => `${method} ${path}`);

describe('the roles in an account', () => {
  it.each([
    ['owner', ['owner', 'admin', 'member', 'viewer', 'billing']],
    ['admin', ['admin', 'member', 'viewer', 'billing']],
    ['member', ['member', 'viewer']],
    ['viewer', ['viewer']],
    ['billing', ['billing']],
  ] as const)('%s includes %j', (role, includes) => {
    expect(ACCOUNT_ROLES.filter((least) => isRoleEnough(role, least))).toEqual(includes);
    expect(isRoleEnough(role, 'any')).toBe(true);
  });

  it('open no call about results, keys or mailboxes to those who only pay the bills', () => {
    const open = calls.filter(({ leastRole }) => leastRole && isRoleEnough('billing', leastRole));

    expect(namesOf(open).filter((name) => !/ \/(billing|users\/me|users\/support_cases)/.test(name))).toEqual(
      [],
    );
  });

  it('let viewers read and download, and change nothing of the account', () => {
    const open = calls.filter(
      ({ method, leastRole }) =>
        method !== 'GET' && leastRole && leastRole !== 'any' && isRoleEnough('viewer', leastRole),
    );

    expect(namesOf(open)).toEqual([
      'POST /guessing/lists/:list_id/export',
      'POST /suppressions/export',
      'POST /validations/email_validation/export',
      'POST /validations/lists/:list_id/export',
    ]);
  });

  it('leave closing the account and taking all its data to its owner', () => {
    expect(namesOf(calls.filter(({ leastRole }) => leastRole === 'owner'))).toEqual([
      'POST /users/me/data',
      'DELETE /users/me',
    ]);
  });

  it('are declared by every call of customers, and the compiler refuses one without', () => {
    // @ts-expect-error It names no least role.
    const forgotten: RouteContract = { ...calls[0], auth: 'user', leastRole: undefined };

    expect(forgotten.leastRole).toBeUndefined();
    expect(
      namesOf(calls.filter(({ auth, leastRole }) => (leastRole === undefined) !== (auth === 'public'))),
    ).toEqual([]);
  });
});
