import type { FeatureFlags, User } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import { findByAddress, findById, type UserRow, updateFlag } from './users.store.ts';

export async function findUser(db: Db, userId: string): Promise<User | undefined> {
  const row = await findById(db, userId);
  return row && userOf(row);
}

/** More than one only when people claim an address that they have not verified. */
export async function findUsersByEmail(db: Db, address: string): Promise<User[]> {
  return (await findByAddress(db, address)).map(userOf);
}

export async function setFeatureFlag(
  db: Db,
  userId: string,
  change: { flag: keyof FeatureFlags; isOn: boolean },
): Promise<void> {
  await updateFlag(db, userId, change);
}

function userOf(row: UserRow): User {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email_address: row.email_address,
    phone: row.phone,
    identities: row.providers,
    creation_date: row.created_at.toISOString(),
    feature_flags: {
      guessing_enabled: row.guessing_enabled,
      can_change_password: row.can_change_password ?? row.providers.includes('email'),
    },
  };
}
