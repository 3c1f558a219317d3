import { randomUUID } from 'node:crypto';
import { API_KEY_PREFIX, type ApiKey, KEY_SCOPES } from '@assay/contract';
import type { OperatorCustomerDetail } from '@assay/contract/operator';
import { type Caller, roleOfKeys } from '../../../platform/auth/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { maskSecret } from '../../../platform/crypto/mask-secret.ts';
import { isSealedNow, openText, sealText } from '../../../platform/crypto/sealed-text.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Db } from '../../../platform/database/database.ts';
import { shareLookups } from '../../../platform/database/share-lookups.ts';
import type { CountWait } from '../../../platform/database/waiting-line.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import {
  deleteKey,
  findAllKeys,
  findKeyOf,
  findKeysByHash,
  insertKey,
  replaceSealedKey,
  updateLastUsed,
} from './api-keys.store.ts';
import { kindOfToken, newUnscopedToken } from './key-token.ts';
import { createScopedKeyResolver, describeScopedKeys } from './scoped-keys.service.ts';
import { findKeys as findScopedKeys } from './scoped-keys.store.ts';

export interface ApiKeyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/** Part of the stored data: changing them would make every key unknown or unreadable. */
const lookupPurpose = 'api-key lookup';
const revealPurpose = 'api-key reveal';

/** A busy program would otherwise update this row with every call. */
const lastUsedStepMs = 60_000;

/** Returns the customer's key, if they have one: in full or masked. */
export async function listKeys(
  { db, secrets }: ApiKeyParts,
  ownerId: AccountId,
  { isRevealed }: { readonly isRevealed: boolean },
): Promise<ApiKey[]> {
  const row = await findKeyOf(db, ownerId);
  if (!row) return [];
  const apiToken = openText(secrets, { purpose: revealPurpose, rowId: row.id }, row.sealed_key);
  return [
    {
      id: row.id,
      api_token: isRevealed ? apiToken : maskSecret(apiToken, API_KEY_PREFIX),
      creation_date: row.created_at.toISOString(),
      last_used_date: row.last_used_at?.toISOString() ?? null,
    },
  ];
}

/** All keys without their secrets. */
export async function describeKeys(db: Db, ownerId: AccountId): Promise<object[]> {
  const row = await findKeyOf(db, ownerId);
  const first = row ? [{ id: row.id, creation_date: row.created_at, last_used_date: row.last_used_at }] : [];
  return [...first, ...(await describeScopedKeys(db, ownerId))];
}

/** All keys for an operator, who never sees a secret. */
export async function listKeysWithoutSecrets(
  db: Db,
  ownerId: AccountId,
): Promise<OperatorCustomerDetail['keys']> {
  const first = await findKeyOf(db, ownerId);
  const everyScope = first ? [{ ...first, name: null, mode: 'live', scopes: [...KEY_SCOPES] }] : [];
  return [...everyScope, ...(await findScopedKeys(db, ownerId))].map((key) => ({
    id: key.id,
    name: key.name,
    mode: key.mode,
    scopes: key.scopes,
    creation_date: key.created_at.toISOString(),
    last_used_date: key.last_used_at?.toISOString() ?? null,
  }));
}

/** See docs/decisions/api-keys.md. */
export async function createKey({ db, clock, secrets }: ApiKeyParts, ownerId: AccountId): Promise<ApiKey> {
  const id = randomUUID();
  const apiToken = newUnscopedToken();
  const now = clock.now();
  const isFirst = await insertKey(db, {
    ownerId,
    id,
    keyHash: secrets.keyedHash(lookupPurpose, apiToken),
    sealedKey: sealText(secrets, { purpose: revealPurpose, rowId: id }, apiToken),
    now,
  });
  if (!isFirst) throw new AppError('api_key_exists', { accountId: ownerId });
  return { id, api_token: apiToken, creation_date: now.toISOString(), last_used_date: null };
}

export async function removeKey(
  { db }: ApiKeyParts,
  { ownerId, id }: { ownerId: AccountId; id: string },
): Promise<void> {
  if (!(await deleteKey(db, { ownerId, id }))) throw new AppError('api_key_not_found', { keyId: id });
}

/** Finds the owner of a key of either kind, or null for an unknown key. */
export type KeyResolver = (apiToken: string, networkAddress: string) => Promise<Caller | null>;

/** Calls that arrive together share the statement that finds their keys. */
export function createKeyResolver(parts: ApiKeyParts, countWait: CountWait = (wait) => wait): KeyResolver {
  const resolveUnscoped = createUnscopedKeyResolver(parts, countWait);
  const resolveScoped = createScopedKeyResolver(parts, countWait);
  return (apiToken, networkAddress) =>
    kindOfToken(apiToken) === 'scoped' ? resolveScoped(apiToken, networkAddress) : resolveUnscoped(apiToken);
}

function createUnscopedKeyResolver({ db, clock, secrets }: ApiKeyParts, countWait: CountWait) {
  const findKey = shareLookups(async (lookups: readonly (readonly string[])[]) => {
    const keys = await findKeysByHash(db, lookups.flat());
    return new Map(
      lookups.flatMap((hashes) => {
        const key = keys.find(({ key_hash }) => hashes.includes(key_hash));
        return key ? [[hashes, key]] : [];
      }),
    );
  });
  return async (apiToken: string): Promise<Caller | null> => {
    // Also under previous secrets of the installation.
    const key = await countWait(findKey(secrets.keyedHashes(lookupPurpose, apiToken)));
    if (!key) return null;

    const now = clock.now();
    const isStale = !key.last_used_at || now.getTime() - key.last_used_at.getTime() >= lastUsedStepMs;
    if (isStale) await updateLastUsed(db, key.key_hash, now);
    return {
      accountId: key.owner_id,
      role: roleOfKeys,
      standing: key.standing,
      key: { id: key.id, name: null },
    };
  };
}

/** Stores keys under the present secret that were stored under a previous one. Returns how many there were. */
export async function renewKeys(db: Db, secrets: Secrets): Promise<number> {
  let count = 0;
  for await (const { id, sealed_key } of findAllKeys(db)) {
    const sealedFor = { purpose: revealPurpose, rowId: id };
    if (isSealedNow(secrets, sealedFor, sealed_key)) continue;
    const apiToken = openText(secrets, sealedFor, sealed_key);
    count += await replaceSealedKey(db, {
      id,
      sealedBefore: sealed_key,
      sealedKey: sealText(secrets, sealedFor, apiToken),
      keyHash: secrets.keyedHash(lookupPurpose, apiToken),
    });
  }
  return count;
}
