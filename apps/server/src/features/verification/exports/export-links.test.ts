import type { ExportLink, ValidationList } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { productOfFile } from '../../../testing/product.ts';

const { api } = await productOfFile();

async function verified() {
  const token = await api.tokenFor();
  const emails = ['jane@exists.test', 'info@exists.test', 'nobody@exists.test'];
  const { id } = (
    await api.call('POST', '/validations/lists', { token, body: { emails } })
  ).json<ValidationList>();
  const find = async () =>
    (await api.call('GET', `/validations/lists/${id}`, { token })).json<ValidationList>();
  await expect.poll(async () => (await find()).status).toBe('COMPLETE');
  const path = `/validations/lists/${id}/links`;
  return {
    id,
    token,
    path,
    make: async (body: object = {}) =>
      (await api.call('POST', path, { token, body })).json<ExportLink & { url: string }>(),
    links: async () => (await api.call('GET', path, { token })).json<{ results: ExportLink[] }>().results,
  };
}
const follow = (url: string) => {
  const { pathname, search } = new URL(url);
  return api.app.inject({ url: pathname + search });
};

describe('a link to a download', () => {
  it('gives the chosen rows without a sign-in, is listed without its URL, and is not found once revoked', async () => {
    const { make, links, path, token } = await verified();
    const { url, ...link } = await make({ safe: true, days: 2 });

    expect(link.name).toBe('API list - safe to send.csv');
    expect(new Date(link.expiration_date).getTime() - new Date(link.creation_date).getTime()).toBe(
      2 * 86_400_000,
    );
    expect(await links()).toEqual([link]);
    expect(link.last_used_date).toBeNull();
    const file = await follow(url);
    const [{ last_used_date: lastUse } = link] = await links();
    expect(lastUse).not.toBeNull();
    await follow(url);
    expect((await links())[0]?.last_used_date, 'to the minute').toBe(lastUse);
    expect(file.headers['content-disposition']).toContain('API list - safe to send.csv');
    expect(file.body.replace('\ufeff', '').split('\n')[1]).toBe(
      'jane@exists.test,VALID,mailbox_accepted,,exists.test,',
    );

    expect((await api.call('DELETE', `${path}/${link.id}`, { token })).statusCode).toBe(204);

    const revoked = await follow(url);
    const unknown = await follow(`${url.slice(0, -4)}AAAA`);
    const told = (answer: typeof revoked) => ({ ...answer.json().errors[0], trace_id: '' });
    expect([revoked.statusCode, told(revoked)]).toEqual([404, told(unknown)]);
    expect(await links()).toEqual([]);
    expect((await api.call('DELETE', `${path}/${link.id}`, { token })).statusCode).toBe(404);
  });

  it('ends with its time and with its list, and the database does not know its token', async () => {
    const { id, make, links, token } = await verified();
    const first = await make({ format: 'xlsx', status: ['INVALID'] });
    const second = await make();
    const secret = new URL(first.url).searchParams.get('token') ?? '';
    const { rows } = await api.database.pool.query('select * from export_links where list_id = $1', [id]);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(secret);

    await api.database.pool.query(
      `update export_links set expires_at = now() - interval '1 second' where id = $1`,
      [first.id],
    );
    expect((await follow(first.url)).statusCode).toBe(404);
    expect((await links()).map((link) => link.id)).toEqual([second.id]);

    await api.call('DELETE', `/validations/lists/${id}`, { token });
    expect((await follow(second.url)).statusCode).toBe(404);
  });

  it('404 for lists and links of other customers, 400 for too many days, 409 for a link too many', async () => {
    const { make, path, token } = await verified();
    const link = await make();
    const other = await api.tokenFor();
    const statusOf = async (method: 'GET' | 'POST' | 'DELETE', at: string, by: string, body?: object) =>
      (await api.call(method, at, { token: by, ...(body && { body }) })).statusCode;

    expect(await statusOf('GET', path, other)).toBe(404);
    expect(await statusOf('POST', path, other, {})).toBe(404);
    expect(await statusOf('DELETE', `${path}/${link.id}`, other)).toBe(404);
    expect(await statusOf('POST', path, token, { days: 31 })).toBe(400);
    const more = await Promise.all(Array.from({ length: 22 }, () => statusOf('POST', path, token, {})));
    expect(more.filter((status) => status === 201)).toHaveLength(19);
    expect(more.filter((status) => status === 409)).toHaveLength(3);
  });
});
