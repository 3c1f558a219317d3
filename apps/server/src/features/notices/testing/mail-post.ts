import { startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import { systemClock } from '../../../platform/clock.ts';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { startTestApi } from '../../../testing/api.ts';
import { noticesHandlers } from '../notices.handlers.ts';

/** An API with a mail relay, and the worker's part in mails. */
export async function startMailPost() {
  const mailbox = await startTestMailbox();
  const api = await startTestApi({ env: { SMTP_RELAY_URL: mailbox.url } });
  const { signal } = new AbortController();
  const parts = {
    db: api.database.db,
    clock: systemClock,
    logger: createLogger({ level: 'silent', process: 'test' }),
    secrets: createSecrets(api.config.secret),
    publicUrl: api.config.publicUrl,
    graceDays: 14,
    mail: api.config.mail,
  };

  /** Runs what enqueues jobs, then those of them that send mails. */
  async function sendMails(enqueue: (working: typeof parts & { queue: JobQueue }) => Promise<unknown>) {
    const wanted: { readonly name: string; readonly payload: object }[] = [];
    const queue = {
      enqueue: async (_tx: unknown, { name }: { name: string }, payload: object) =>
        void wanted.push({ name, payload }),
      enqueueMany: async (_tx: unknown, { name }: { name: string }, items: { payload: object }[]) =>
        void wanted.push(...items.map(({ payload }) => ({ name, payload }))),
    } as unknown as JobQueue;
    await enqueue({ ...parts, queue });
    const handlers = noticesHandlers({ ...parts, queue });
    for (const { name, payload } of wanted) {
      const handler = handlers.find(({ job }) => job.name === name);
      await handler?.run(payload, { jobId: 'job', retryCount: 0, signal });
    }
  }

  return {
    api,
    mailbox,
    parts,
    signal,
    sendMails,
    mailsTo: (email: string): string[] =>
      mailbox.mails.filter(({ to }) => to.includes(email)).map(({ source }) => decoded(source)),
    close: async () => {
      await api.close();
      await mailbox.close();
    },
  };
}

/** Of quoted-printable, only what our mails have of it. */
const decoded = (source: string): string => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
