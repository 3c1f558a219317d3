import { openSecret } from '../../../platform/crypto/rotated-secrets.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { handleJob, type JobHandler } from '../../../platform/queue/index.ts';
import { type ImapOptions, MailboxFailure, withFolder } from './imap-client.ts';
import { readMailboxesJob, readMailboxJob } from './mailboxes.jobs.ts';
import { claimDue, endRun, findMailboxes, type MailboxKey, mailboxPasswords } from './mailboxes.store.ts';
import { type ReadParts, readFolder } from './read-mailbox.ts';

export interface MailboxHandlerParts extends ReadParts {
  readonly secrets: Secrets;
  readonly imap: ImapOptions;
}

/** Each waits for its host most of the time. */
const concurrency = 4;
const everySeconds = 300;
/** A run that stopped at its bounds. */
const onSeconds = 5;
const troubleSecondsMax = 86_400;

export const mailboxesHandlers = (parts: MailboxHandlerParts): JobHandler[] => [
  handleJob(readMailboxesJob, { concurrency: 1 }, async () => {
    await parts.db.transaction().execute(async (tx) => {
      const due = await claimDue(tx);
      await parts.queue.enqueueMany(
        tx,
        readMailboxJob,
        due.map((payload) => ({ payload })),
      );
    });
  }),
  handleJob(readMailboxJob, { concurrency }, (key, { signal }) =>
    readMailbox(parts, key as unknown as MailboxKey, signal),
  ),
];

/** A mailbox that cannot be read is no failure of the job: its customer sees why, and it is tried less and less often. */
async function readMailbox(parts: MailboxHandlerParts, key: MailboxKey, signal: AbortSignal): Promise<void> {
  const { db, secrets, imap, clock } = parts;
  const row = (await findMailboxes(db, key.ownerId)).find(({ id }) => id === key.id);
  if (!row) return;
  const login = {
    host: row.host,
    userName: row.user_name,
    password: openSecret(secrets, mailboxPasswords, row.id, row.sealed_secret),
    folder: row.folder,
  };
  const known = { uidValidity: row.uid_validity, lastUid: row.last_uid };
  try {
    const { isAtEnd } = await withFolder(login, imap, signal, (folder) =>
      readFolder(parts, key, folder, known, signal),
    );
    const waitSeconds = isAtEnd ? everySeconds : onSeconds;
    await endRun(db, key, { trouble: null, now: clock.now(), waitSeconds });
  } catch (error) {
    const isConnected = (await findMailboxes(db, key.ownerId)).some(({ id }) => id === key.id);
    // Disconnected while it was read, perhaps with its account.
    if (!isConnected) return;
    if (!(error instanceof MailboxFailure)) throw error;
    const waitSeconds = Math.min(everySeconds * 2 ** row.failures, troubleSecondsMax);
    await endRun(db, key, { trouble: error.trouble, now: clock.now(), waitSeconds });
  }
}
