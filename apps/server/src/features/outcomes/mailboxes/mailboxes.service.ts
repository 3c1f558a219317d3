import { randomUUID } from 'node:crypto';
import { MAILBOX_TROUBLES, OUTCOME_MAILBOXES, type OutcomeMailbox } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import { sealSecret } from '../../../platform/crypto/rotated-secrets.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { requireAttempt } from '../../../platform/limits/index.ts';
import { lockForCounting } from '../../accounts/index.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import { type ImapOptions, MailboxFailure, type MailboxLogin, withFolder } from './imap-client.ts';
import {
  deleteMailbox,
  findMailboxes,
  insertMailbox,
  type MailboxRow,
  mailboxPasswords,
  updatePassword,
} from './mailboxes.store.ts';

export interface MailboxParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly imap: ImapOptions;
}

export const listMailboxes = async ({ db }: MailboxParts, ownerId: AccountId): Promise<OutcomeMailbox[]> =>
  (await findMailboxes(db, ownerId)).map(mailboxAnswer);

/** The mailboxes without their passwords. */
export const describeMailboxes = async (db: Db, ownerId: AccountId): Promise<object[]> =>
  (await findMailboxes(db, ownerId)).map(mailboxAnswer);

const mailboxAnswer = (row: MailboxRow): OutcomeMailbox => ({
  id: row.id,
  host: row.host,
  user_name: row.user_name,
  folder: row.folder,
  trouble: row.trouble,
  last_read_date: row.last_read_at?.toISOString() ?? null,
  read_mails: row.read_mails,
  found_outcomes: row.found_outcomes,
  creation_date: row.created_at.toISOString(),
});

/** Opens the folder once before anything is stored, so that a mistake shows at once. */
export async function connectMailbox(
  parts: MailboxParts,
  actor: Actor,
  login: MailboxLogin,
  signal: AbortSignal,
): Promise<OutcomeMailbox> {
  const { db, clock, secrets } = parts;
  const ownerId = actor.accountId;
  await requireOpening(parts, ownerId, login, signal);
  const id = randomUUID();
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    // So that simultaneous calls see each other's mailboxes.
    await lockForCounting(tx, ownerId);
    if ((await findMailboxes(tx, ownerId)).length >= OUTCOME_MAILBOXES.countMax)
      throw new AppError('too_many_outcome_mailboxes', { ownerId });
    const sealedPassword = sealSecret(secrets, mailboxPasswords, id, login.password);
    const { host, userName, folder } = login;
    await insertMailbox(tx, { ownerId, id, host, userName, folder, sealedPassword, now });
    await recordActivity(tx, actor, { kind: 'mailbox.connected', about: userName, now });
    return requireMailbox(await findMailboxes(tx, ownerId), id);
  });
}

/** A person waits for the answer. */
const openingMs = 25_000;
const attempts = { max: 20, windowSeconds: 600 } as const;

async function requireOpening(
  parts: MailboxParts,
  ownerId: AccountId,
  login: MailboxLogin,
  signal: AbortSignal,
): Promise<void> {
  // Nobody may try out passwords or hosts of others with our help.
  await requireAttempt(parts, { bucket: 'outcome_mailbox', key: ownerId, ...attempts });
  const imap = { connectionMs: openingMs, ...parts.imap };
  await withFolder(login, imap, signal, async () => undefined).catch((error) => {
    if (!(error instanceof MailboxFailure)) throw error;
    const { trouble } = error;
    throw new AppError(
      'outcome_mailbox_not_open',
      { trouble },
      { text: MAILBOX_TROUBLES[trouble], meta: { trouble } },
    );
  });
}

function requireMailbox(rows: readonly MailboxRow[], id: string): OutcomeMailbox {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new AppError('outcome_mailbox_not_found', { mailboxId: id });
  return mailboxAnswer(row);
}

export async function changePassword(
  parts: MailboxParts,
  actor: Actor,
  { id, password }: { readonly id: string; readonly password: string },
  signal: AbortSignal,
): Promise<OutcomeMailbox> {
  const { db, secrets } = parts;
  const ownerId = actor.accountId;
  const { host, user_name: userName, folder } = requireMailbox(await findMailboxes(db, ownerId), id);
  await requireOpening(parts, ownerId, { host, userName, folder, password }, signal);
  return db.transaction().execute(async (tx) => {
    await updatePassword(tx, { ownerId, id }, sealSecret(secrets, mailboxPasswords, id, password));
    return requireMailbox(await findMailboxes(tx, ownerId), id);
  });
}

export async function removeMailbox({ db, clock }: MailboxParts, actor: Actor, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const userName = await deleteMailbox(tx, { ownerId: actor.accountId, id });
    if (userName === undefined) throw new AppError('outcome_mailbox_not_found', { mailboxId: id });
    await recordActivity(tx, actor, { kind: 'mailbox.removed', about: userName, now: clock.now() });
  });
}
