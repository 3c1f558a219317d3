import type { ListPreview, ValidationList } from '@assay/contract';
import { type ObjectStore, startObjectStore } from '@assay/stand-ins/object-store';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { openFileStore } from '../../platform/files/open-file-store.ts';
import { settingsOf } from '../../platform/files/testing/s3-store.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { openReadingPool } from '../../platform/reading/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { removeRemainsOf } from '../verification/customer-removal.ts';
import { takeEmailFile } from '../verification/files/email-uploads.ts';
import { sweepValidations } from '../verification/sweep.ts';

let objectStore: ObjectStore;
let api: TestApi;
let worker: TestWorker;
let files: FileStore;
beforeAll(async () => {
  objectStore = await startObjectStore();
  api = await startTestApi({ env: settingsOf(objectStore) });
  worker = await startTestWorker(api);
  files = await openFileStore(api.config);
});
afterAll(async () => {
  await worker.close();
  await api.close();
  await objectStore.close();
});

beforeEach(() => objectStore.bucket('assay').objects.clear());

const people = 'email,name\njane@exists.test,Jane\nnobody@exists.test,Nobody\nJANE@exists.test,Jane again\n';
const keys = () => [...objectStore.bucket('assay').objects.keys()];

function previewPeople(token: string, contents = people) {
  const form = new FormData();
  form.append('list_raw', new Blob([contents]), 'people.csv');
  return api.call('POST', '/validations/lists_bulk/validation', { token, body: form });
}
function createFrom(token: string, uploadId: string) {
  const form = new FormData();
  form.append('upload_id', uploadId);
  return api.call('POST', '/validations/lists_bulk', { token, body: form });
}
const ownerOf = (key: string | undefined): string => key?.split('/')[1] ?? '';

describe('uploads in an S3-compatible store', () => {
  it('are previewed, verified as a list, and removed after a day', async () => {
    const token = await api.tokenFor();
    const previewed = await previewPeople(token);
    expect(previewed.json<ListPreview>()).toMatchObject({
      metrics: { billable: 2, non_billable: 0, duplicated: 1 },
      detected: { encoding: 'utf-8', email_column: 'email' },
    });
    const { upload_id } = previewed.json<ListPreview>();
    expect(keys()).toEqual([expect.stringMatching(new RegExp(`^uploads/[^/]+/${upload_id}$`))]);

    const made = await createFrom(token, upload_id);
    expect(made.statusCode).toBe(201);
    const { id } = made.json<ValidationList>();
    const list = async () =>
      (await api.call('GET', `/validations/lists/${id}`, { token })).json<ValidationList>();
    await expect
      .poll(list)
      .toMatchObject({ status: 'COMPLETE', email_metrics: { valid_emails: 1, invalid_emails: 1 } });

    const clock = { now: () => new Date(Date.now() + 25 * 3_600_000) };
    await sweepValidations({ db: api.database.db, clock, files }, new AbortController().signal);
    expect(keys()).toEqual([]);
  });

  it('leave nothing in the bucket when they are refused', async () => {
    const answer = await previewPeople(await api.tokenFor(), 'name,city\nJane,Bern\n');

    expect(answer.json().errors[0].code).toBe('file_no_email_column');
    expect(keys()).toEqual([]);
  });

  it('leave nothing in the bucket when the reading of a long file refuses them', async () => {
    const long = `${people}${'Max,max@exists.test,Bern\n'.repeat(1_000)}${','.repeat(3_000)}\n`;
    const answer = await previewPeople(await api.tokenFor(), long);

    expect(answer.json().errors[0]).toMatchObject({ code: 'file_too_many_columns', http_status: 422 });
    expect(keys()).toEqual([]);
  });

  it('leave nothing in the bucket when the account was deleted meanwhile', async () => {
    const { db } = api.database;
    const readingPool = openReadingPool({
      logger: createLogger({ level: 'error', process: 'test' }),
      metrics: createMetrics(),
    });
    onTestFinished(() => readingPool.close());
    const parts = { db, clock: systemClock, files, readingPool, limits: api.config.uploads };
    const token = await api.tokenFor();
    const { id } = (await api.call('GET', '/users/me', { token })).json<{ id: string }>();
    async function* bytes() {
      await db.deleteFrom('users').where('id', '=', id).execute();
      yield Buffer.from(people);
    }

    await expect(
      takeEmailFile(parts, id, { name: 'people.csv', bytes: bytes() }, { isSandbox: false }),
    ).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(keys()).toEqual([]);
  });

  it('are removed with the account, and only theirs', async () => {
    await previewPeople(await api.tokenFor());
    const [leaver] = keys();
    await previewPeople(await api.tokenFor());
    expect(keys()).toHaveLength(2);

    await removeRemainsOf({ db: api.database.db, files }, ownerOf(leaver), new AbortController().signal);
    expect(keys()).toHaveLength(1);
    expect(keys()).not.toContain(leaver);
  });

  it('500 with a trace id, and the reason in the log, when the store fails', async () => {
    onTestFinished(objectStore.forbid('PutObject'));
    const answer = await previewPeople(await api.tokenFor());

    expect(answer.statusCode).toBe(500);
    expect(answer.json().errors[0].trace_id).toBe(answer.headers['x-trace-id']);
    expect(JSON.stringify(api.logLines)).toContain('AccessDenied');
    expect(JSON.stringify(api.logLines)).not.toContain(objectStore.credentials.secretAccessKey);
  });
});
