import type { FeatureFlags, ProfileChanges, User } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import { compactPhone, phoneSchema } from '@assay/contract/phone';
import type { Person } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { publishEvent, type Recipient } from '../../platform/events/index.ts';
import { type AccountId, openerOf, type UserId } from '../../platform/ids.ts';
import { updateFlag, updateStanding } from '../accounts/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import {
  findByAddress,
  findById,
  lockProfile,
  type ProfileFields,
  type UserRow,
  updateCanChangePassword,
  updateMissingPhone,
  updateProfileFields,
} from './users.store.ts';

export async function findUser(db: Db, userId: UserId): Promise<User | undefined> {
  const row = await findById(db, userId);
  return row && userOf(row);
}

/** Several customers may have the same unverified address. */
export async function findUsersByEmail(db: Db, address: string): Promise<User[]> {
  return (await findByAddress(db, address)).map(userOf);
}

/** A person who does something, for the log. */
export type ActingPerson = Actor & Pick<Person, 'userId'>;

interface ProfileParts {
  readonly db: Db;
  readonly clock: Clock;
}

/** Stores a phone number in E.164, however it was written. */
export async function updateProfile(
  { db, clock }: ProfileParts,
  person: ActingPerson,
  changes: ProfileChanges,
): Promise<void> {
  const { first_name, last_name, phone, list_mails, balance_mails, plan_mails } = changes;
  const fields = {
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(phone !== undefined && { phone: readPhone(phone) }),
    ...(list_mails !== undefined && { wants_list_mails: list_mails }),
    ...(balance_mails !== undefined && { wants_balance_mails: balance_mails }),
    ...(plan_mails !== undefined && { wants_plan_mails: plan_mails }),
  };
  if (Object.keys(fields).length === 0) return;
  await db.transaction().execute(async (tx) => {
    const before = await lockProfile(tx, person);
    if (!before) return;
    await updateProfileFields(tx, person, fields);
    await publishUserChange(tx, person.userId);
    for (const activity of profileActivities(before, fields)) {
      await recordActivity(tx, person, { ...activity, now: clock.now() });
    }
  });
}

/** What differs from the profile as it was. The log does not say to what: names and numbers stay out of it. */
function profileActivities(before: ProfileFields, after: Partial<ProfileFields>) {
  const isChanged = (field: keyof ProfileFields) =>
    after[field] !== undefined && after[field] !== before[field];
  const info = [
    ...(isChanged('first_name') || isChanged('last_name') ? ['Name'] : []),
    ...(isChanged('phone') ? ['Phone'] : []),
  ];
  const mails = (['wants_list_mails', 'wants_balance_mails', 'wants_plan_mails'] as const)
    .filter(isChanged)
    .map((field) => `Mails about ${mailWords[field]} ${after[field] ? 'on' : 'off'}`);
  return [
    ...(info.length > 0 ? [{ kind: 'setting.profile', about: info.join(', ') } as const] : []),
    ...(mails.length > 0 ? [{ kind: 'setting.mails', about: mails.join(', ') } as const] : []),
  ];
}

const mailWords = {
  wants_list_mails: 'complete lists',
  wants_balance_mails: 'the balance',
  wants_plan_mails: 'plan and payments',
} as const;

/** Parses a typed number; throws if it is no phone number. */
export function readPhone(typed: string): string {
  const { success, data, error } = phoneSchema.safeParse(typed);
  if (success) return compactPhone(data);

  const message = error.issues[0]?.message ?? '';
  throw new AppError(
    'invalid_request',
    { fields: ['phone'] },
    { text: message, meta: { field: 'phone', problems: [{ field: 'phone', message }] } },
  );
}

/** For a number that the customer typed elsewhere; does not replace a number in the profile. */
export async function setMissingPhone(tx: Tx, person: ActingPerson, phone: string, now: Date): Promise<void> {
  if (!(await updateMissingPhone(tx, person.userId, phone))) return;
  await publishUserChange(tx, person.userId);
  await recordActivity(tx, person, { kind: 'setting.profile', about: 'Phone', now });
}

export async function setFeatureFlag(
  db: Db,
  accountId: AccountId,
  change: { flag: keyof FeatureFlags; isOn: boolean },
): Promise<void> {
  const { flag, isOn } = change;
  if (flag === 'can_change_password') await updateCanChangePassword(db, openerOf(accountId), isOn);
  else await updateFlag(db, accountId, { flag, isOn });
  await publishUserChange(db, accountId);
}

/** Changes what the account may do, and returns what it was before; undefined if there is no such account. */
export async function changeStanding(
  tx: Tx,
  accountId: AccountId,
  standing: Standing,
): Promise<Standing | undefined> {
  const before = await updateStanding(tx, accountId, standing);
  if (before) await publishUserChange(tx, accountId);
  return before;
}

/** Open tabs reload the user. */
const publishUserChange = (db: Db, recipient: Recipient): Promise<void> =>
  publishEvent(db, recipient, { event_type: 'refresh_user', event_metadata: {} });

function userOf(row: UserRow): User {
  const { standing } = row;
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
    ...((standing === 'held' || standing === 'suspended') && { restriction: standing }),
    list_mails: row.wants_list_mails,
    balance_mails: row.wants_balance_mails,
    plan_mails: row.wants_plan_mails,
  };
}
