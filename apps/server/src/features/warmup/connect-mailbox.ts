import { randomUUID } from 'node:crypto';
import type { MailboxCredential, MailboxProvider } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import { publishEvent } from '../../platform/events/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { requireAttempt } from '../../platform/limits/index.ts';
import { lockAccount } from '../accounts/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import { readState, signState } from './authorization-state.ts';
import { credentialAnswer } from './credential-answer.ts';
import {
  type GivenTokens,
  type MailboxGateway,
  type MailboxGateways,
  MailboxRefused,
  type MailboxTokens,
} from './providers/mailbox-gateway.ts';
import { refreshTime } from './refresh-time.ts';
import { grantHashesOf, mailboxesChanged } from './remove-mailbox.ts';
import { callOffRevocations, lockGrant } from './revocations.store.ts';
import type { TokenVault } from './token-vault.ts';
import {
  insertAuthorization,
  isConnected,
  listCredentialsOf,
  saveCredential,
  takeAuthorization,
} from './warmup.store.ts';

export interface ConnectParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly vault: TokenVault;
  readonly gateways: MailboxGateways;
}

/** Long enough to sign in at the provider with a second factor; codes of both providers expire by then too. */
const tripMs = 10 * 60_000;
/** More than a person connects by hand. */
const mailboxesMax = 100;

/** Starts an authorization and returns the provider's URL. */
export async function startAuthorization(
  parts: ConnectParts,
  { ownerId, provider }: { ownerId: AccountId; provider: MailboxProvider },
): Promise<string> {
  const gateway = requireGateway(parts.gateways, provider);
  await requireAttempt(parts, { bucket: 'mailbox_connect', key: ownerId, max: 60, windowSeconds: 600 });

  const id = randomUUID();
  const expiresAt = new Date(parts.clock.now().getTime() + tripMs);
  const codeVerifier = gateway.newCodeVerifier();
  const verifier = parts.vault.ring.seal(id, codeVerifier);
  await insertAuthorization(parts.db, { id, ownerId, provider, verifier, expiresAt });
  const state = signState(parts.secrets, { id, ownerId, provider, expiresAt });
  return gateway.authorizationUrl({ state, codeVerifier });
}

/** Completes the authorization: exchanges the code and stores the mailbox. */
export async function finishAuthorization(
  parts: ConnectParts,
  actor: Actor,
  { provider, code, state }: { provider: MailboxProvider; code: string; state: string },
): Promise<MailboxCredential> {
  const ownerId = actor.accountId;
  const gateway = requireGateway(parts.gateways, provider);
  const id = readState(parts.secrets, state, { ownerId, provider, now: parts.clock.now() });
  const verifier = await takeAuthorization(parts.db, { ownerId, id });
  if (!verifier) throw new AppError('mailbox_state_invalid', { accountId: ownerId });

  const codeVerifier = parts.vault.ring.open(id, verifier);
  const given = await gateway.exchangeCode({ code, state, codeVerifier }).catch((error: unknown) => {
    if (error instanceof MailboxRefused) throw new AppError('mailbox_code_refused', { provider });
    throw error;
  });
  let address: string | undefined;
  try {
    const finding = gateway.findAddress(given.accessToken);
    // Known before the access is judged: an incomplete consent may be of a mailbox that is connected.
    address = await finding.catch(() => undefined);
    const tokens = requireWholeAccess(given, provider);
    return await keepMailbox(parts, actor, { gateway, address: await finding, tokens, given });
  } catch (error) {
    // A customer who has connected this mailbox uses the same consent.
    const isUsed =
      address !== undefined && (await isConnected(parts.db, { provider, address }).catch(() => true));
    if (!isUsed) await giveBack(gateway, given);
    throw error;
  }
}

function requireGateway(gateways: MailboxGateways, provider: MailboxProvider): MailboxGateway {
  const gateway = gateways[provider];
  if (!gateway) throw new AppError('mailbox_provider_missing', { provider });
  return gateway;
}

function requireWholeAccess(
  { accessToken, refreshToken, isComplete }: GivenTokens,
  provider: MailboxProvider,
): MailboxTokens {
  if (isComplete && refreshToken !== undefined) return { accessToken, refreshToken };
  throw new AppError('mailbox_access_incomplete', {
    provider,
    isComplete,
    isOffline: refreshToken !== undefined,
  });
}

interface FoundMailbox {
  readonly gateway: MailboxGateway;
  readonly address: string;
  readonly tokens: MailboxTokens;
  readonly given: GivenTokens;
}

async function keepMailbox(
  { db, clock, secrets, vault }: ConnectParts,
  actor: Actor,
  { gateway, address, tokens, given }: FoundMailbox,
): Promise<MailboxCredential> {
  const ownerId = actor.accountId;
  const id = randomUUID();
  const now = clock.now();
  return runTransaction(db, async (tx) => {
    // Also blocks the deletion of the account, which would miss a mailbox that is being connected.
    if (!(await lockAccount(tx, ownerId))) throw new AppError('unauthorized', { accountId: ownerId });
    const grantHashes = grantHashesOf(secrets, { provider: gateway.provider, address });
    await lockGrant(tx, grantHashes[0]);
    await callOffRevocations(tx, grantHashes);
    const row = await saveCredential(tx, {
      ownerId,
      id,
      provider: gateway.provider,
      address,
      tokens: vault.sealTokens(id, tokens),
      refreshAt: refreshTime(now, given.expiresInSeconds),
      now,
    });
    if ((await listCredentialsOf(tx, ownerId)).length > mailboxesMax) {
      throw new AppError('mailbox_limit_reached', { accountId: ownerId }, { meta: { max: mailboxesMax } });
    }
    await publishEvent(tx, ownerId, mailboxesChanged);
    await recordActivity(tx, actor, { kind: 'mailbox.connected', about: address, now });
    return credentialAnswer(row, gateway.consentUrl);
  });
}

/**
 * Revokes a consent that led to no mailbox. Tried once, now: a later revocation
 * would also end a mailbox that the person has connected by then.
 */
async function giveBack(gateway: MailboxGateway, { accessToken, refreshToken }: GivenTokens): Promise<void> {
  await gateway.revoke?.(refreshToken ?? accessToken).catch(() => undefined);
}
