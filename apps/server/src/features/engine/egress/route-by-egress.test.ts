import type { EgressReport, Finding, Item, Items, Verifier } from '@assay/verifier';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { saveHealth } from '../health/health.store.ts';
import { sweepBindings } from './bindings.store.ts';
import { chooseEgress } from './choose-egress.ts';
import { routeByEgress } from './route-by-egress.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('delete from egress_health; delete from egress_bindings'));

/** Two egresses whose engines note what they are asked. */
function open(names = ['a', 'b'], workers = 'default') {
  const asked: Record<string, string[]> = {};
  const engineOf = (name: string): Verifier => {
    const note = (email: string) => {
      asked[name] = [...(asked[name] ?? []), email];
      return { kind: 'verdict', item: email, email, result: 'VALID' } as unknown as Finding<string>;
    };
    return {
      verify: async (email: string) => note(email),
      verifyAll: (items: Items<Item>) => ({
        async *batches() {
          yield (items as string[]).map(note);
        },
      }),
      close: async () => void note('closed'),
    } as unknown as Verifier;
  };
  const egresses = names.map((name) => ({ name, weight: 1, verifier: engineOf(name) }));
  const verifier = routeByEgress({ db: database.db, workers, egresses });
  const list = async (...emails: string[]) =>
    (await Array.fromAsync(verifier.verifyAll(emails).batches())).flat();
  return { verifier, asked, list };
}

const setHealth = (egress: string, change: Partial<EgressReport>) =>
  saveHealth(database.db, {
    egress,
    report: { findings: [], isPortClosed: false, isListed: false, ...change },
    nextCheckMs: 1_000,
  });
const boundTo = async (domain: string) =>
  (await database.pool.query('select egress from egress_bindings where domain = $1', [domain])).rows[0]
    ?.egress;
/** Domains that the weights give to an egress. */
const domainsOf = (egress: string, count: number) =>
  Array.from({ length: 200 }, (_, index) => `d${index}.com`)
    .filter(
      (domain) =>
        chooseEgress(domain, [
          { name: 'a', weight: 1 },
          { name: 'b', weight: 1 },
        ]) === egress,
    )
    .slice(0, count);

describe('several egress addresses', () => {
  it('share the domains, and all addresses of a domain go through its egress', async () => {
    const { asked, list, verifier } = open();
    const [ofA = '', ofB = ''] = [domainsOf('a', 1)[0], domainsOf('b', 1)[0]];
    const findings = await list(`x@${ofA}`, `x@${ofB}`, `y@${ofA}`, 'no address');
    await verifier.verify(`z@${ofB}`);
    expect(findings).toHaveLength(4);
    expect(asked.a?.filter((email) => email.endsWith(ofA))).toEqual([`x@${ofA}`, `y@${ofA}`]);
    expect(asked.b?.filter((email) => email.endsWith(ofB))).toEqual([`x@${ofB}`, `z@${ofB}`]);
  });

  it('in another order or with another weight, a domain keeps its egress for a day', async () => {
    const [domain = ''] = domainsOf('a', 1);
    await open().list(`x@${domain}`);
    const other = open(['b', 'a', 'c']);
    await other.list(`y@${domain}`);
    expect(other.asked).toEqual({ a: [`y@${domain}`] });
    await database.pool.query(`update egress_bindings set bound_until = now(), egress = 'b'`);
    await other.list(`z@${domain}`);
    expect(await boundTo(domain)).toBe(
      chooseEgress(
        domain,
        ['b', 'a', 'c'].map((name) => ({ name, weight: 1 })),
      ),
    );
  });

  it('a listed egress gets no new domain', async () => {
    await setHealth('a', { isListed: true });
    const { asked, list } = open();
    await list(...domainsOf('a', 3).map((domain) => `x@${domain}`));
    expect(Object.keys(asked)).toEqual(['b']);
  });

  it('addresses of domains bound to a listed egress are put off, never asked through another', async () => {
    const [domain = ''] = domainsOf('a', 1);
    const { asked, list, verifier } = open();
    await list(`x@${domain}`);
    await setHealth('a', { isListed: true });
    const later = { kind: 'try_again', afterMs: 600_000, result: 'UNKNOWN', reason: 'blocked' };
    expect(await list(`y@${domain}`)).toEqual([expect.objectContaining({ ...later, item: `y@${domain}` })]);
    expect(await verifier.verify(`y@${domain}`)).toMatchObject(later);
    expect(await verifier.verify(`info+x@${domain}`)).toMatchObject({
      email: `info+x@${domain}`,
      flags: { disposable: false, role: true, free_provider: false, plus_tag: true },
    });
    expect(asked).toEqual({ a: [`x@${domain}`] });
  });

  it('a domain that is bound to a listed egress moves when its day is over', async () => {
    const [domain = ''] = domainsOf('a', 1);
    const { asked, list } = open();
    await list(`x@${domain}`);
    await setHealth('a', { isListed: true });
    await database.pool.query(`update egress_bindings set bound_until = now() + interval '1 minute'`);
    await list(`x@${domain}`);
    const { rows } = await database.pool.query(
      `select bound_until > now() + interval '1 minute' as is_extended from egress_bindings`,
    );
    expect(rows).toEqual([{ is_extended: false }]);
    await database.pool.query(`update egress_bindings set bound_until = now()`);
    await list(`y@${domain}`);
    expect(asked.b).toEqual([`y@${domain}`]);
  });

  it('addresses without a domain and those of .test are answered while their egress is listed', async () => {
    for (const egress of ['a', 'b']) {
      const { asked, list, verifier } = open();
      await setHealth(egress, { isListed: true });
      const findings = await list('no address', 'x@exists.test', 'x@also.test');
      expect(findings.map(({ kind }) => kind)).toEqual(['verdict', 'verdict', 'verdict']);
      expect(await verifier.verify('no address')).toMatchObject({ kind: 'verdict' });
      expect(asked[egress]?.includes('no address')).not.toBe(true);
      expect(await boundTo('')).toBeUndefined();
    }
  });

  it('a closed port pauses one egress while another is open, and leaves the gate to wait for all', async () => {
    const [domain = ''] = domainsOf('a', 1);
    const { asked, list } = open();
    await list(`x@${domain}`);
    await setHealth('a', { isPortClosed: true });
    expect(await list(`y@${domain}`)).toEqual([expect.objectContaining({ reason: 'connection_timeout' })]);
    await setHealth('b', { isPortClosed: true });
    await list(`z@${domain}`);
    expect(asked.a).toEqual([`x@${domain}`, `z@${domain}`]);
  });

  it('a domain that is used stays bound beyond the day, so that no deferral changes its egress', async () => {
    const [domain = ''] = domainsOf('a', 1);
    const { list } = open();
    await list(`x@${domain}`);
    await database.pool.query(`update egress_bindings set bound_until = now() + interval '1 minute'`);
    await list(`x@${domain}`);
    const { rows } = await database.pool.query(
      `select bound_until > now() + interval '4 hours' as is_extended from egress_bindings`,
    );
    expect(rows).toEqual([{ is_extended: true }]);
  });

  it('workers with other egresses bind the domain for themselves', async () => {
    const [domain = ''] = domainsOf('a', 1);
    const { asked, list } = open();
    await list(`x@${domain}`);
    await open(['c', 'd'], 'elsewhere').list(`y@${domain}`);
    await setHealth('b', { isListed: true });
    await list(`z@${domain}`);
    expect(asked).toEqual({ a: [`x@${domain}`, `z@${domain}`] });
  });

  it('bindings that are over are swept', async () => {
    await open().list('x@example.com');
    await database.pool.query('update egress_bindings set bound_until = now()');
    await sweepBindings(database.db);
    expect(await boundTo('example.com')).toBeUndefined();
  });

  it('weights decide the share of domains', () => {
    const egresses = [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 3 },
    ];
    const count = Array.from({ length: 4_000 }, (_, index) => chooseEgress(`d${index}.com`, egresses)).filter(
      (name) => name === 'b',
    ).length;
    expect(count / 4_000).toBeCloseTo(0.75, 1);
  });
});
