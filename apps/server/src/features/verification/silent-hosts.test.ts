import { readDefaultZone } from '@assay/mail-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';

/** Hosts that take connections and never say a word. */
const silentNames = Array.from({ length: 150 }, (_, index) => `silent-${index}.test`);
const zone = `${readDefaultZone()}\n${silentNames.map((name) => `domain ${name}  accepts jane; at banner hang`).join('\n')}\n`;
const singles = '/validations/email_validation';
const lists = '/validations/lists';

describe('a customer whose addresses are at hosts that stay silent', () => {
  let api: TestApi;
  let worker: TestWorker;
  beforeAll(async () => {
    api = await startTestApi();
    worker = await startTestWorker(api, {
      zone,
      verifierLimits: { connectionsPerHost: 2, connectionsPerProvider: 4, connections: 100 },
    });
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  const start = async (path: string, token: string, body: object): Promise<string> => {
    const answer = await api.call('POST', path, { token, body });
    expect(answer.statusCode).toBe(201);
    return answer.json().id;
  };
  const statusOf = async (path: string, token: string, id: string) =>
    (await api.call('GET', `${path}/${id}`, { token })).json().status;
  const countOpenConnections = () => worker.world.conduct.total.connectionsNow;

  it('delays neither the single checks nor the short lists of others', async () => {
    const [silent, neighbour] = [await api.tokenFor(), await api.tokenFor()];
    const checks: string[] = [];
    for (const name of silentNames.slice(0, 48))
      checks.push(await start(singles, silent, { email_address: `jane@${name}` }));
    const silentLists: string[] = [];
    for (let list = 0; list < 40; list += 1) {
      const emails = silentNames.slice(48 + list, 58 + list).map((name) => `jane${list}@${name}`);
      silentLists.push(await start(lists, silent, { name: `Silent ${list}`, emails }));
    }
    // No connection more for this customer: three quarters of all.
    await expect.poll(countOpenConnections).toBe(75);

    const check = await start(singles, neighbour, { email_address: 'jane@exists.test' });
    const list = await start(lists, neighbour, {
      name: 'Short',
      emails: ['jane@exists.test', 'nobody@exists.test', 'anyone@catch-all.test'],
    });
    await expect.poll(() => statusOf(singles, neighbour, check)).toBe('COMPLETE');
    await expect.poll(() => statusOf(lists, neighbour, list)).toBe('COMPLETE');

    for (const id of checks) expect(await statusOf(singles, silent, id)).not.toBe('COMPLETE');
    for (const id of silentLists) expect(await statusOf(lists, silent, id)).not.toBe('COMPLETE');
  });
});
