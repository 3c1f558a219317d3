import type { Clock } from '../../platform/clock.ts';
import { KeyMissing } from '../../platform/crypto/key-ring.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logging/index.ts';
import { type MailboxGateways, MailboxRefused } from './providers/mailbox-gateway.ts';
import { refreshTime } from './refresh-time.ts';
import { claimDueRevocations, deleteRevocation } from './revocations.store.ts';
import type { TokenVault } from './token-vault.ts';
import {
  claimDueCredentials,
  countTokensUnderOtherKeys,
  type DueCredential,
  endCredential,
  findTokensUnderOlderKeys,
  replaceSealedTokens,
  tokenTables,
  updateTokens,
} from './tokens.store.ts';

export interface TokenParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly vault: TokenVault;
  readonly gateways: MailboxGateways;
}

/** Processed at a time; each only waits for its provider. */
const batchSize = 20;
const dayMs = 86_400_000;
/** After this long we give up, erase the tokens and log an error. */
const revocationPatienceMs = 30 * dayMs;

/** Refreshes tokens before they expire. */
export async function refreshTokens(parts: TokenParts, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await claimDueCredentials(parts.db, parts.clock.now(), batchSize);
    await Promise.all(due.map((credential) => refreshOne(parts, credential)));
    if (signal.aborted || due.length < batchSize) return;
  }
}

async function refreshOne(parts: TokenParts, credential: DueCredential): Promise<void> {
  const { clock, db, gateways, logger, vault } = parts;
  const { id, provider } = credential;
  try {
    const gateway = gateways[provider];
    if (!gateway) throw new Error(`${provider} is not in the configuration.`);
    const { refreshToken } = vault.openTokens(id, credential.tokens);
    const given = await gateway.refresh(refreshToken);
    const tokens = { accessToken: given.accessToken, refreshToken: given.refreshToken ?? refreshToken };
    await updateTokens(db, {
      ...credential,
      tokens: vault.sealTokens(id, tokens),
      refreshAt: refreshTime(clock.now(), given.expiresInSeconds),
    });
  } catch (error) {
    if (error instanceof MailboxRefused) {
      await endCredential(db, credential);
      logger.info({ credential_id: id, provider }, 'the owner revoked a mailbox at its provider');
      return;
    }
    const level = error instanceof KeyMissing ? 'error' : 'warn';
    logger[level]({ err: error, credential_id: id }, 'could not refresh tokens; will retry');
  }
}

/** Revokes removed mailboxes at their providers. */
export async function revokeGrants(parts: TokenParts, signal: AbortSignal): Promise<void> {
  const { clock, db, gateways, logger, vault } = parts;
  for (;;) {
    const due = await claimDueRevocations(db, clock.now(), batchSize);
    await Promise.all(
      due.map(async ({ id, provider, sealed_tokens, key_id, created_at }) => {
        try {
          const revoke = gateways[provider]?.revoke;
          if (!revoke) throw new Error(`${provider} is not in the configuration.`);
          const tokens = vault.openTokens(id, { sealed: sealed_tokens, keyId: key_id });
          await revoke(tokens.refreshToken);
          await deleteRevocation(db, id);
        } catch (error) {
          const isLast = clock.now().getTime() - created_at.getTime() > revocationPatienceMs;
          if (isLast) await deleteRevocation(db, id);
          logger[isLast ? 'error' : 'warn'](
            { err: error, credential_id: id, is_last: isLast },
            'could not revoke a removed mailbox at its provider',
          );
        }
      }),
    );
    if (signal.aborted || due.length < batchSize) return;
  }
}

/** Encrypts tokens with the newest key, so that older keys can be removed. Returns how many are left under other keys. */
export async function moveToCurrentKey({ db, vault }: TokenParts, signal: AbortSignal): Promise<number> {
  const { currentKeyId, keyIds } = vault.ring;
  const olderKeyIds = keyIds.filter((keyId) => keyId !== currentKeyId);
  for (const table of tokenTables) {
    for (;;) {
      const moved = await db.transaction().execute(async (tx) => {
        const rows = await findTokensUnderOlderKeys(tx, table, { olderKeyIds, limit: batchSize });
        for (const { id, tokens } of rows) {
          await replaceSealedTokens(tx, table, id, vault.sealTokens(id, vault.openTokens(id, tokens)));
        }
        return rows.length;
      });
      if (signal.aborted || moved < batchSize) break;
    }
  }
  return countTokensUnderOtherKeys(db, currentKeyId);
}
