import type { ValidationList } from '@assay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { createReplicaLike, replicaSchema } from '../../../testing/replica.ts';

let first: TestApi;
let api: TestApi;
let replica: Awaited<ReturnType<typeof createReplicaLike>>;
beforeAll(async () => {
  first = await startTestApi();
  const { database } = first;
  replica = await createReplicaLike(database);
  await database.pool.query(`
    create view ${replicaSchema}.list_rows as
      select owner_id, list_id, row_number, first_row_number, email_address, is_suppressed, cells || ' by the replica' as cells
      from public.list_rows;
    create view ${replicaSchema}.validation_metrics as
      select owner_id, quarter, 7 as pending, valid, invalid, catch_all, unknown from public.validation_metrics`);
  api = await startTestApi({ beside: first, env: { DATABASE_REPLICA_URL: replica.url } });
});
afterAll(async () => {
  await api.close();
  await first.close();
});

it('exports and charts come from the replica, and from the primary while the replica is late', async () => {
  const token = await api.tokenFor();
  const body = { emails: ['jane@exists.test'] };
  const { id } = (await api.call('POST', '/validations/lists', { token, body })).json<ValidationList>();
  const everything = 'status=VALID&status=INVALID&status=CATCH_ALL&status=UNKNOWN&rows=all';
  const exported = async () => {
    const ordered = await api.call('POST', `/validations/lists/${id}/export?${everything}`, { token });
    const { pathname, search } = new URL(ordered.json().download_link);
    return (await api.app.inject({ url: pathname + search })).body;
  };
  const pending = async () => {
    const today = new Date().toISOString();
    const query = new URLSearchParams({ from_date: today, to_date: today, group_by: 'DAY' });
    const { results } = (await api.call('GET', `/validations/lists/metrics?${query}`, { token })).json();
    return results[0].validation_list_email_metrics.pending_emails;
  };

  expect(await exported()).toContain('jane@exists.test by the replica');
  expect(await pending()).toBe(7);
  expect(
    (await api.call('GET', `/validations/lists/${id}/emails`, { token })).json().results[0],
  ).toMatchObject({ email_address: 'jane@exists.test' });

  await replica.replayTo('0/0');
  expect(await exported()).not.toContain('by the replica');
  expect(await pending()).toBe(1);
});
