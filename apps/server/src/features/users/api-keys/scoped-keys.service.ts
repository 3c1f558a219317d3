import { randomUUID } from 'node:crypto';
import {
  KEY_PREFIXES,
  type KeyMode,
  type KeyUsage,
  type NewScopedKey,
  SCOPED_KEYS,
  type ScopedKey,
  type ScopedKeyChanges,
  type ScopedKeyWithToken,
} from '@assay/contract';
import { type Caller, roleOfKeys } from '../../../platform/auth/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { maskSecret } from '../../../platform/crypto/mask-secret.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Db } from '../../../platform/database/database.ts';
import { shareLookups } from '../../../platform/database/share-lookups.ts';
import type { CountWait } from '../../../platform/database/waiting-line.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { lockForCounting } from '../../accounts/index.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import { forgetKeyCredits, readDailyKeyCredits, readMonthlyKeyCredits } from '../../billing/index.ts';
import { isInNetworks } from './key-networks.ts';
import { newScopedToken } from './key-token.ts';
import {
  countKeys,
  deleteKey,
  findKey,
  findKeys,
  findKeysByHash,
  insertKey,
  type KeyPlace,
  type ScopedKeyRow,
  updateKey,
  updateLastUsed,
  updateSecret,
} from './scoped-keys.store.ts';

export interface ScopedKeyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/** Part of the stored data: changing it would make every key unknown. */
const lookupPurpose = 'scoped api-key lookup';

/** A busy program would otherwise update its key's row with every call. */
const lastUsedStepMs = 60_000;

/** Proxies send what they like as an address. */
const addressLengthMax = 64;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export async function listScopedKeys(
  { db, clock }: ScopedKeyParts,
  ownerId: AccountId,
): Promise<ScopedKey[]> {
  const now = clock.now();
  const rows = await findKeys(db, ownerId);
  const credits = await readMonthlyKeyCredits(db, ownerId, now);
  return rows.map((row) => keyAnswer(row, credits.get(row.id) ?? 0, now));
}

/** See docs/decisions/api-keys.md. */
export async function createScopedKey(
  { db, clock, secrets }: ScopedKeyParts,
  caller: Actor,
  wanted: NewScopedKey,
): Promise<ScopedKeyWithToken> {
  const now = clock.now();
  const ownerId = caller.accountId;
  const { name, mode } = wanted;
  requireFitting(wanted, mode, now);
  const apiToken = newScopedToken(mode);
  const key = {
    id: randomUUID(),
    owner_id: ownerId,
    name,
    mode,
    scopes: unique(wanted.scopes),
    monthly_credit_limit: wanted.monthly_credit_limit,
    allowed_networks: unique(wanted.allowed_networks),
    expires_at: dateOf(wanted.expiration_date),
    key_hash: secrets.keyedHash(lookupPurpose, apiToken),
    ending: apiToken.slice(-4),
    created_at: now,
  };
  const row = await db.transaction().execute(async (tx) => {
    await lockForCounting(tx, ownerId);
    if ((await countKeys(tx, ownerId)) >= SCOPED_KEYS.countMax) {
      throw new AppError('too_many_api_keys', { accountId: ownerId });
    }
    const inserted = await insertKey(tx, key);
    await recordActivity(tx, caller, { kind: 'api_key.created', about: name, now });
    return inserted;
  });
  return { ...keyAnswer(row, 0, now), api_token: apiToken };
}

export async function changeScopedKey(
  parts: ScopedKeyParts,
  caller: Actor,
  id: string,
  changes: ScopedKeyChanges,
): Promise<ScopedKey> {
  const { db, clock } = parts;
  const place = { ownerId: caller.accountId, id };
  const key = await requireKey(db, place);
  const now = clock.now();
  requireFitting(changes, key.mode, now);
  const { name, scopes, monthly_credit_limit, allowed_networks, expiration_date } = changes;
  const columns = {
    ...(name !== undefined && { name }),
    ...(scopes && { scopes: unique(scopes) }),
    ...(monthly_credit_limit !== undefined && { monthly_credit_limit }),
    ...(allowed_networks && { allowed_networks: unique(allowed_networks) }),
    ...(expiration_date !== undefined && { expires_at: dateOf(expiration_date) }),
  };
  const changed = changedParts(key, columns);
  if (changed.length > 0) {
    const about = `${name ?? key.name}: ${changed.join(', ')}`;
    await db.transaction().execute(async (tx) => {
      if (!(await updateKey(tx, place, columns))) throw notFound(place);
      await recordActivity(tx, caller, { kind: 'api_key.changed', about, now });
    });
  }
  return readAnswer(parts, place);
}

const partWords = {
  scopes: 'scopes',
  monthly_credit_limit: 'monthly limit',
  allowed_networks: 'networks',
  expires_at: 'expiry',
} as const satisfies Partial<Record<keyof ScopedKeyRow, string>>;

/** What differs from the key as it is, in words. */
function changedParts(key: ScopedKeyRow, columns: Partial<ScopedKeyRow>): string[] {
  const isChanged = (column: keyof ScopedKeyRow) =>
    columns[column] !== undefined && JSON.stringify(columns[column]) !== JSON.stringify(key[column]);
  return [
    ...(isChanged('name') ? [`name (was ${key.name})`] : []),
    ...(Object.keys(partWords) as (keyof typeof partWords)[])
      .filter(isChanged)
      .map((column) => partWords[column]),
  ];
}

/** Gives the key a new secret. The old one stays valid for the given hours. */
export async function rollScopedKey(
  parts: ScopedKeyParts,
  caller: Actor,
  id: string,
  overlapHours: number,
): Promise<ScopedKeyWithToken> {
  const { db, clock, secrets } = parts;
  const place = { ownerId: caller.accountId, id };
  const { mode, name } = await requireKey(db, place);
  const now = clock.now();
  const apiToken = newScopedToken(mode);
  await db.transaction().execute(async (tx) => {
    const isRolled = await updateSecret(tx, place, {
      keyHash: secrets.keyedHash(lookupPurpose, apiToken),
      ending: apiToken.slice(-4),
      previousValidUntil: overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * hourMs),
    });
    if (!isRolled) throw notFound(place);
    await recordActivity(tx, caller, { kind: 'api_key.rolled', about: name, now });
  });
  return { ...(await readAnswer(parts, place)), api_token: apiToken };
}

export async function revokeScopedKey(
  { db, clock }: ScopedKeyParts,
  caller: Actor,
  id: string,
): Promise<void> {
  const place = { ownerId: caller.accountId, id };
  await db.transaction().execute(async (tx) => {
    const name = await deleteKey(tx, place);
    if (name === undefined) throw notFound(place);
    await forgetKeyCredits(tx, place);
    await recordActivity(tx, caller, { kind: 'api_key.deleted', about: name, now: clock.now() });
  });
}

/** Everything about the keys but their secrets. */
export async function describeScopedKeys(db: Db, ownerId: AccountId): Promise<object[]> {
  const rows = await findKeys(db, ownerId);
  return rows.map(({ owner_id: _, key_hash: __, previous_hash: ___, ...described }) => described);
}

export async function readKeyUsage({ db, clock }: ScopedKeyParts, place: KeyPlace): Promise<KeyUsage> {
  await requireKey(db, place);
  const today = clock.now().getTime();
  const days = Array.from({ length: SCOPED_KEYS.usageDays }, (_, daysAgo) =>
    new Date(today - daysAgo * dayMs).toISOString().slice(0, 10),
  ).reverse();
  const credits = await readDailyKeyCredits(db, place, days[0] as string);
  return { results: days.map((date) => ({ date, credits: credits.get(date) ?? 0 })) };
}

/** Finds the owner of a key with what it allows, or null for an unknown key. */
export function createScopedKeyResolver({ db, clock, secrets }: ScopedKeyParts, countWait: CountWait) {
  const findKeyByHash = shareLookups(async (lookups: readonly (readonly string[])[]) => {
    const keys = await findKeysByHash(db, lookups.flat());
    return new Map(
      lookups.flatMap((hashes) => {
        const key = keys.find(
          ({ key_hash, previous_hash }) =>
            hashes.includes(key_hash) || (previous_hash !== null && hashes.includes(previous_hash)),
        );
        return key ? [[hashes, key]] : [];
      }),
    );
  });
  return async (apiToken: string, networkAddress: string): Promise<Caller | null> => {
    const keyHashes = secrets.keyedHashes(lookupPurpose, apiToken);
    const key = await countWait(findKeyByHash(keyHashes));
    const now = clock.now();
    if (!key) return null;
    const isReplaced = !keyHashes.includes(key.key_hash);
    if (isReplaced && !isAfter(key.previous_valid_until, now)) return null;

    const details = { accountId: key.owner_id, keyId: key.id };
    if (key.expires_at && !isAfter(key.expires_at, now)) throw new AppError('api_key_expired', details);
    if (!isInNetworks(networkAddress, key.allowed_networks)) {
      throw new AppError('api_key_wrong_network', details, {
        meta: { address: networkAddress.slice(0, addressLengthMax) },
      });
    }
    const before = new Date(now.getTime() - lastUsedStepMs);
    const place = { ownerId: key.owner_id, id: key.id };
    if (!isAfter(key.last_used_at, before)) await updateLastUsed(db, place, { now, before });
    return {
      accountId: key.owner_id,
      role: roleOfKeys,
      standing: key.standing,
      key: {
        id: key.id,
        name: key.name,
        grant: {
          scopes: key.scopes,
          isTest: key.mode === 'test',
          monthlyCreditLimit: key.monthly_credit_limit,
        },
      },
    };
  };
}

const isAfter = (moment: Date | null, other: Date): boolean => moment !== null && moment > other;

async function requireKey(db: Db, place: KeyPlace): Promise<ScopedKeyRow> {
  const row = await findKey(db, place);
  if (!row) throw notFound(place);
  return row;
}

const notFound = ({ id }: KeyPlace): AppError => new AppError('api_key_not_found', { keyId: id });

async function readAnswer({ db, clock }: ScopedKeyParts, place: KeyPlace): Promise<ScopedKey> {
  const now = clock.now();
  // Revoked meanwhile.
  const row = await requireKey(db, place);
  const credits = await readMonthlyKeyCredits(db, place.ownerId, now);
  return keyAnswer(row, credits.get(row.id) ?? 0, now);
}

function requireFitting({ scopes, expiration_date }: ScopedKeyChanges, mode: KeyMode, now: Date): void {
  if (mode === 'test' && scopes?.includes('guess')) {
    throw refusal(
      'scopes',
      'A test key cannot guess, because guessing has no sandbox. Leave this scope out.',
    );
  }
  if (mode === 'test' && scopes?.includes('manage_webhooks')) {
    throw refusal(
      'scopes',
      'A test key cannot manage webhooks, because they get events of live work. Leave this scope out.',
    );
  }
  if (mode === 'test' && scopes?.includes('report_outcomes')) {
    throw refusal(
      'scopes',
      'A test key cannot report outcomes, because they stand beside live results. Leave this scope out.',
    );
  }
  if (mode === 'test' && scopes?.includes('suppressions')) {
    throw refusal(
      'scopes',
      'A test key cannot manage suppressions, because they are about live work. Leave this scope out.',
    );
  }
  if (mode === 'test' && scopes?.includes('manage_feeds')) {
    throw refusal(
      'scopes',
      'A test key cannot manage feeds, because they bring live events. Leave this scope out.',
    );
  }
  if (expiration_date && new Date(expiration_date) <= now) {
    throw refusal('expiration_date', 'This date is over. Choose a later one.');
  }
}

const refusal = (field: string, text: string): AppError =>
  new AppError('invalid_request', { fields: [field] }, { text, meta: { field } });

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

function keyAnswer(row: ScopedKeyRow, monthCredits: number, now: Date): ScopedKey {
  const { previous_valid_until: previousUntil } = row;
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    scopes: row.scopes,
    monthly_credit_limit: row.monthly_credit_limit,
    month_credits: monthCredits,
    allowed_networks: row.allowed_networks,
    expiration_date: row.expires_at?.toISOString() ?? null,
    masked_token: maskSecret(row.ending, KEY_PREFIXES[row.mode]),
    previous_token_until: isAfter(previousUntil, now) ? (previousUntil?.toISOString() ?? null) : null,
    creation_date: row.created_at.toISOString(),
    last_used_date: row.last_used_at?.toISOString() ?? null,
  };
}
