import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { run } from './coupons.ts';

const why = ['--reason', 'A fair'];

describe('assay coupons', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const call = async (...argv: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(argv, {
      env: { DATABASE_URL: database.url },
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
    });
    return { code, out: out.join(''), err: err.join('') };
  };

  it('creates a code, lists it and disables it', async () => {
    expect(
      await call(
        'create',
        'welcome-500',
        '--credits',
        '500',
        '--max',
        '3',
        '--expires',
        '2999-01-31',
        ...why,
      ),
    ).toEqual({ code: 0, out: 'Created coupon WELCOME-500 for 500 credits.\n', err: '' });
    expect((await call('list')).out).toMatch(/WELCOME-500 +500 +0 +3 +2999-01-31T00:00:00\.000Z +open/);
    expect((await call('disable', 'Welcome-500', ...why)).code).toBe(0);
    expect((await call('list')).out).toMatch(/WELCOME-500 .*disabled/);
  });

  it('refuses an existing code and leaves it unchanged', async () => {
    await call('create', 'TWICE', '--credits', '5', ...why);

    expect(await call('create', 'twice', '--credits', '6', ...why)).toMatchObject({ code: 1, out: '' });
    expect((await call('list')).out).toMatch(/TWICE +5 +0 +none +none +open/);
  });

  it('creates codes in bulk, one per line, for one customer each', async () => {
    const { code, out } = await call('create', '--bulk', '20', '--prefix', 'fair', '--credits', '10', ...why);

    expect(code).toBe(0);
    const codes = out.trim().split('\n');
    expect(new Set(codes).size).toBe(20);
    expect(codes.every((line) => /^FAIR-[A-Z2-9]{10}$/.test(line))).toBe(true);
    expect((await call('list')).out).toMatch(/FAIR-\S+ +10 +0 +1 /);
  });

  it('refuses to disable an unknown code', async () => {
    expect(await call('disable', 'NOBODY', ...why)).toEqual({
      code: 1,
      out: '',
      err: 'There is no coupon with this code. Check that you typed all of it.\n',
    });
  });

  it.each([
    [[], /create, list or disable/],
    [['create', '--credits', '5'], /Name a code/],
    [['create', 'ABC', '--credits', '5'], /5 to 64 letters/],
    [['create', 'A CODE', '--credits', '5'], /letters and digits/],
    [['create', 'ABCDE', 'FGHIJ', '--credits', '5'], /one code at a time/],
    [['create', 'ABCDE'], /--credits takes/],
    [['create', 'ABCDE', '--credits', '0'], /--credits takes/],
    [['create', 'ABCDE', '--credits', '5', '--max', 'x'], /--max takes/],
    [['create', 'ABCDE', '--credits', '5', '--expires', '2027-02-30'], /--expires takes/],
    [['create', 'ABCDE', '--credits', '5', '--expires', 'soon'], /--expires takes/],
    [['create', 'ABCDE', '--credits', '5', '--expires', '2020-01-01'], /in the past/],
    [['create', 'ABCDE', '--bulk', '5', '--prefix', 'P', '--credits', '5'], /made up/],
    [['create', '--bulk', '5', '--credits', '5'], /--prefix/],
    [['create', 'ABCDE', '--prefix', 'P', '--credits', '5'], /belongs to --bulk/],
    [['disable'], /Name a code/],
    [['disable', 'ABCDE'], /--reason takes/],
    [['create', 'ABCDE', '--credits', '5'], /--reason takes/],
    [['create', '--bulk', '5', '--prefix', 'P', '--credits', '5', '--reason', ' '], /--reason takes/],
  ])('%j is answered with how to ask', async (argv, complaint) => {
    const { code, out, err } = await call(...argv);

    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(complaint);
    expect(err).toContain('Usage:');
  });
});
