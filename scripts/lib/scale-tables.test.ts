import { expect, it } from 'vitest';
import { readScaleTables } from './scale-tables.ts';

it('docs/scale.md says whose the rows of a table are', () => {
  const columns = Object.fromEntries(
    readScaleTables().map(({ table, ownerColumns }) => [table, ownerColumns]),
  );
  expect(columns).toMatchObject({
    wallets: ['owner_id'],
    webhooks: ['owner_id'],
    users: ['id'],
    operators: ['user_id'],
    accounts: ['id'],
    memberships: ['account_id', 'user_id'],
    coupons: [],
    domain_facts: [],
  });
});
