import type { SingleValidation } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { productOfFile } from '../../../testing/product.ts';
import { readSheets } from '../../../testing/read-sheets.ts';
import { auditLedger } from '../../billing/index.ts';

const { api } = await productOfFile();
const path = '/validations/email_validation';

async function customer(emails: readonly string[]) {
  const token = await api.tokenFor();
  const singles: SingleValidation[] = [];
  for (const email of emails) {
    singles.push((await api.call('POST', `${path}?wait=30`, { token, body: { email } })).json());
  }
  const list = async (query = '') =>
    (await api.call('GET', `${path}?${query}`, { token })).json<{
      results: SingleValidation[];
      total: number;
    }>();
  const download = async (query: string) => {
    const order = await api.call('POST', `${path}/export?${query}`, { token });
    const { pathname, search } = new URL(order.json().download_link);
    return api.app.inject({ url: pathname + search });
  };
  const remove = (id: string) => api.call('DELETE', `${path}/${id}`, { token });
  const balance = async () => (await api.call('GET', '/billing/me', { token })).json().balance as number;
  return { token, singles, list, download, remove, balance };
}

describe('single checks', () => {
  it('are found by a part of the address and by verdict', async () => {
    const { list } = await customer(['jane@exists.test', 'nobody@exists.test', 'any@catch-all.test']);

    expect(await list('search=EXISTS')).toMatchObject({
      results: [{ email_address: 'nobody@exists.test' }, { email_address: 'jane@exists.test' }],
      total: 2,
    });
    expect(await list('status=CATCH_ALL')).toMatchObject({
      results: [{ email_address: 'any@catch-all.test' }],
      total: 1,
    });
    expect((await list('search=%25')).total).toBe(0);
  });

  it('are exported, all or chosen ones, as CSV and as a spreadsheet', async () => {
    const { download } = await customer(['jane@exists.test', 'info@exists.test', 'nobody@exists.test']);

    const csv = await download('status=VALID');
    expect(csv.headers['content-disposition']).toContain('Single verifications.csv');
    const lines = csv.body.replace('\ufeff', '').trimEnd().split('\n');
    expect(lines).toEqual([
      'email,result,reason,flags,mx_provider,suggestion,date',
      expect.stringMatching(/^info@exists\.test,VALID,mailbox_accepted,role,exists\.test,,20/),
      expect.stringMatching(/^jane@exists\.test,VALID,mailbox_accepted,,exists\.test,,20/),
    ]);
    const [sheet = []] = readSheets((await download('search=nobody&format=xlsx')).rawPayload);
    expect(sheet.map(([email]) => email)).toEqual(['email', 'nobody@exists.test']);
  });

  it('204 deletes a complete check, 404 a second time and for another customer', async () => {
    const { singles, list, remove, balance } = await customer(['jane@exists.test']);
    const id = singles[0]?.id ?? '';
    const other = await customer([]);
    expect((await other.remove(id)).statusCode).toBe(404);

    expect((await remove(id)).statusCode).toBe(204);

    expect((await list()).total).toBe(0);
    expect((await remove(id)).statusCode).toBe(404);
    expect(await balance()).toBe(999);
  });

  it('204 deletes a running check and gives its credit back, exactly once', async () => {
    const { token, remove, balance } = await customer([]);
    const started = await api.call('POST', path, { token, body: { email: 'jane@greylist-never.test' } });
    expect(await balance()).toBe(999);

    const answers = await Promise.all([remove(started.json().id), remove(started.json().id)]);

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404]);
    expect(await balance()).toBe(1_000);
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
