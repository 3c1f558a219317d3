import { createVerifier } from '@assay/verifier';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeJobs } from '../features/operator/describe-jobs.ts';
import { bulkHandlers } from '../features/verification/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logging/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { openWorkQueue } from '../platform/queue/index.ts';
import { startTestApi } from '../testing/api.ts';
import { sandboxSettings } from '../testing/product.ts';
import { openHandlers } from './open-handlers.ts';

const mailSettings = { SMTP_RELAY_URL: 'smtp://127.0.0.1:1', ASSAY_MAIL_FROM: 'Assay <mail@assay.test>' };

/** The other jobs, and why no customer can have many of them. */
const withoutOwner = {
  'account.delete-identity': 'an account is deleted once',
  'notices.mail-farewell': 'an account is deleted once, and nothing else of it is known by then',
  'warmup.revoke-grants': 'one run works for all customers',
};

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const api = await startTestApi({ env: { ...sandboxSettings, ...mailSettings } });
opened.defer(() => api.close());
const { db, pool, url } = api.database;
const logger = createLogger({ level: 'silent', process: 'test' });
const queue = await openWorkQueue({ databaseUrl: url, applicationName: 'assay test owners', logger });
opened.defer(() => queue.close());
const verifier = createVerifier({ dns: ['127.0.0.1:1'] });
opened.defer(() => verifier.close());
const parts = { db, pool, logger, metrics: createMetrics(), queue, verifier, opened };
const handlers = [
  ...(await openHandlers(api.config, parts)),
  ...bulkHandlers({ db, clock: systemClock, queue, verifier, egress: 'test' }),
];

it('every job that is not scheduled names its customer, by whom the queue gives places in turn', () => {
  const requiredOf = (payload: z.ZodMiniType) =>
    z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any' }).required ?? [];
  const unowned = handlers.filter(
    ({ job }) => job.schedule === undefined && !requiredOf(job.payload).includes('ownerId'),
  );

  expect(handlers.length).toBeGreaterThan(40);
  expect(unowned.map(({ job }) => job.name).sort()).toEqual(Object.keys(withoutOwner));
});

it('operators read what every job does, instead of the name of its queue', async () => {
  const jobs = handlers.map(({ job }) => ({ queue: job.name, data: {} }));

  const described = await describeJobs(db, jobs);

  expect(described.flatMap(({ words }, at) => (words === jobs[at]?.queue ? [words] : []))).toEqual([]);
});
