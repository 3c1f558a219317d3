import { randomUUID } from 'node:crypto';
import type { EgressReport } from '@assay/verifier';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { saveHealth } from './health.store.ts';

const closed: EgressReport = { findings: [], isPortClosed: true, isListed: false };
const open: EgressReport = { ...closed, isPortClosed: false };

describe('new checks while port 25 is closed', () => {
  const clock = movableClock();
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await startTestApi({ clock });
    token = await api.tokenFor({ sub: randomUUID(), email: `${randomUUID()}@example.com` });
    await api.call('GET', '/users/me', { token });
    await api.database.pool.query(`update accounts set guessing_enabled = true`);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.database.pool.query('delete from egress_health');
    // Past what the API remembers of the last answer.
    clock.advance({ seconds: 6 });
  });

  const setHealth = (egress: string, report: EgressReport) =>
    saveHealth(api.database.db, { egress, report, nextCheckMs: 60_000 });
  const codeOf = async (path: string, body: unknown, headers = {}) => {
    const answer = await api.call('POST', path, { token, body, headers });
    return answer.statusCode < 300 ? answer.statusCode : answer.json().errors[0].code;
  };
  const single = (address: string, headers?: Record<string, string>) =>
    codeOf('/validations/email_validation', { email_address: address }, headers);
  const wallet = async () => {
    const { rows } = await api.database.pool.query('select balance, held from wallets');
    return rows;
  };
  const listOf = (...emails: string[]) => codeOf('/validations/lists', { emails, name: 'List' });
  const guessAt = (domain: string) =>
    codeOf('/guessing/email_guess', { first_name: 'Jane', last_name: 'Doe', domain });

  it('409 verification_unavailable for a single, a list and a guess, and nothing is held', async () => {
    await setHealth('default', closed);
    const before = await wallet();
    expect(await single('jane@example.com')).toBe('verification_unavailable');
    expect(await listOf('jane@exists.test', 'jane@example.com')).toBe('verification_unavailable');
    expect(await guessAt('example.com')).toBe('verification_unavailable');
    expect(await wallet()).toEqual(before);
  });

  it('addresses of .test are never refused', async () => {
    await setHealth('default', closed);
    expect(await single('jane@exists.test')).toBe(201);
    expect(await listOf('jane@exists.test', 'John@EXISTS.test')).toBe(201);
    expect(await guessAt('exists.test')).toBe(201);
  });

  it('a repeated call gets its first answer again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    expect(await single('jane@example.com', key)).toBe(201);
    await setHealth('default', closed);
    clock.advance({ seconds: 6 });
    expect(await single('jane@example.com', key)).toBe(201);
  });

  it('lists that were started before say that they wait, unless all their addresses are of .test', async () => {
    const stateOf = async (path: string) => {
      const { run_state, waiting } = (await api.call('GET', path, { token })).json();
      return [run_state, waiting];
    };
    const emails = async (...emails: string[]) => {
      const list = await api.call('POST', '/validations/lists', { token, body: { emails } });
      return `/validations/lists/${list.json().id}`;
    };
    const people = async (domain: string) => {
      const form = new FormData();
      form.append('list_raw', new Blob([`name,domain\nJane Doe,${domain}\n`]), 'people.csv');
      const preview = await api.call('POST', '/guessing/lists_bulk/validation', { token, body: form });
      const body = { upload_id: preview.json().upload_id };
      const list = await api.call('POST', '/guessing/lists_bulk', { token, body });
      return `/guessing/lists/${list.json().id}`;
    };
    const real = [await emails('jane@exists.test', 'jane@example.com'), await people('example.com')];
    const trial = [await emails('jane@exists.test'), await people('exists.test')];

    for (const path of [...real, ...trial]) expect(await stateOf(path)).toEqual(['running', []]);
    await setHealth('default', closed);
    for (const path of real) expect(await stateOf(path)).toEqual(['waiting', []]);
    for (const path of trial) expect(await stateOf(path)).toEqual(['running', []]);
    await setHealth('second', open);
    for (const path of real) expect(await stateOf(path)).toEqual(['running', []]);
  });

  it('are accepted soon after the port opens, also when the wall clock was set back meanwhile', async () => {
    await setHealth('default', closed);
    expect(await single('jane@example.com')).toBe('verification_unavailable');
    await setHealth('default', open);
    clock.jump({ minutes: -20 });
    clock.advance({ seconds: 6 });
    expect(await single('jane@example.com')).toBe(201);
    clock.jump({ minutes: 20 });
  });

  it('are accepted where another egress address has an open port', async () => {
    await setHealth('default', closed);
    await setHealth('second', open);
    expect(await single('jane@example.com')).toBe(201);
  });

  it('are accepted if the closed port was seen more than three hours ago', async () => {
    await setHealth('default', closed);
    await api.database.pool.query(
      `update egress_health set checked_at = $1::timestamptz - interval '3 hours 1 second'`,
      [clock.now()],
    );
    expect(await single('jane@example.com')).toBe(201);
  });
});
