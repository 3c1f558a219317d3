import { type MailWorld, startMailWorld } from '@assay/mail-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';

const zone = [
  'domain mine.test accepts jane',
  'domain theirs.test accepts jane',
  'domain late.test accepts jane',
].join('\n');

let api: TestApi;
let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld({ zone });
  api = await startTestApi({
    env: { ASSAY_DNS: world.dns, ASSAY_ALLOW_RANGES: world.allowRanges.join(',') },
  });
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const ask = (domain: string) => api.app.inject(`/postmaster/counts?domain=${encodeURIComponent(domain)}`);
const tokenIn = (page: string) => /count=([0-9a-f]{32})/.exec(page)?.[1] ?? '';
const noteAsked = (domain: string, daysAgo: number, asked: number) =>
  api.database.pool.query(
    `insert into owner_questions values ($1, (now() at time zone 'UTC')::date - $2::int, $3, 0)`,
    [domain, daysAgo, asked],
  );
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

describe('GET /postmaster/counts', () => {
  it('shows nothing but the record to publish until the domain has it', async () => {
    await noteAsked('mine.test', 3, 94);
    const token = tokenIn((await ask('mine.test')).body);
    const other = tokenIn((await ask('theirs.test')).body);
    expect(token).not.toBe(other);

    for (const records of [[], [`v=assay1; count=${other}`], [`count=${token}`]]) {
      world.publishOwnerRecords('mine.test', records);
      const page = await ask('mine.test');
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(`_assay.mine.test.  300  IN  TXT  &quot;v=assay1; count=${token}&quot;`);
      expect(page.body).not.toContain(dayOf(3));
    }
  });

  it('shows whole days that ended a day ago, to the nearest ten, once the domain has it', async () => {
    for (const [daysAgo, asked] of [
      [0, 500],
      [1, 400],
      [2, 94],
      [3, 96],
      [4, 3],
    ] as const)
      await noteAsked('theirs.test', daysAgo, asked);
    await noteAsked('mine.test', 5, 700);
    const token = tokenIn((await ask('theirs.test')).body);
    world.publishOwnerRecords('theirs.test', ['v=spf1 -all', `v=assay1; limit=9/day; count=${token}`]);

    const { body, headers } = await ask('theirs.test');

    const days = [...body.matchAll(/<th scope="row">([\d-]+)<\/th><td>(\d+)<\/td>/g)].map(
      ([, date, count]) => [date, Number(count)],
    );
    expect(days).toEqual([
      [dayOf(2), 90],
      [dayOf(3), 100],
      [dayOf(4), 0],
    ]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['', 'not a domain', '<b>', 'a..test', 'x'.repeat(300)])('400 for %j', async (domain) => {
    const page = await ask(domain);
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain('This is not a domain.');
    expect(page.body).not.toContain('<b>');
  });

  it('says so when the domain cannot be looked up', async () => {
    world.publishOwnerRecords('late.test', 'servfail');
    expect((await ask('late.test')).body).toContain('We could not look <code>late.test</code> up just now.');
  });
});
