import { randomUUID } from 'node:crypto';
import type { SingleValidation, SingleWait } from '@assay/contract';
import {
  type EvidenceStage,
  egressAwayNote,
  noConnectionNote,
  noFlags,
  ownLimitNote,
  resolverAwayNote,
  type TryAgain,
  type Verifier,
} from '@assay/verifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { storedFindingOf } from '../../engine/index.ts';
import { markSinglesComplete } from './singles.store.ts';
import { createSingleVerifier } from './verify-single.ts';

const path = '/validations/email_validation';

const tryAgain = (stage: EvidenceStage): TryAgain<string> => ({
  kind: 'try_again',
  afterMs: 240_000,
  deferralCount: 1,
  item: 'jane@example.com',
  email: 'jane@example.com',
  result: 'UNKNOWN',
  reason: 'greylisted',
  flags: noFlags,
  evidence: [{ stage: 'dns', note: 'MX mx.example.com' }, stage],
});

describe('a single check that is put off', () => {
  const clock = movableClock();
  let api: TestApi;
  let token: string;
  let ownerId: string;
  beforeAll(async () => {
    api = await startTestApi({ clock });
    token = await api.tokenFor({ sub: randomUUID(), email: `${randomUUID()}@example.com` });
    ownerId = (await api.call('GET', '/users/me', { token })).json().id;
  });
  afterAll(() => api.close());

  const start = async (email_address: string): Promise<string> =>
    (await api.call('POST', path, { token, body: { email_address } })).json().id;
  const waitingOf = async (id: string): Promise<SingleWait | null> =>
    (await api.call('GET', `${path}/${id}`, { token })).json().waiting;
  const putOff = async (stage: EvidenceStage): Promise<string> => {
    const validationId = await start('jane@example.com');
    const { db } = api.database;
    const verifier = { verify: async () => tryAgain(stage) } as Partial<Verifier> as Verifier;
    const work = { db, queue: api.queue, clock, verifier, egress: 'test' };
    await createSingleVerifier(work)({ ownerId, validationId }, new AbortController().signal);
    return validationId;
  };

  it.each([
    [
      'mail_host',
      { reply: '451 4.7.1 come back later' },
      'Waiting for the mail host of example.com to answer.',
    ],
    [
      'our_connections',
      { note: noConnectionNote },
      'Waiting for a free connection to the mail host of example.com: your other checks use those that you may have.',
    ],
    [
      'our_limits',
      { note: ownLimitNote },
      'Waiting before we ask the provider of example.com again: it blocks those who ask about too many mailboxes that do not exist.',
    ],
    [
      'our_network',
      { note: egressAwayNote },
      'Waiting for our network: we cannot reach mail hosts at the moment.',
    ],
    [
      'our_name_server',
      { note: resolverAwayNote },
      'Waiting for our name server: we cannot look up example.com at the moment.',
    ],
  ])('says what it waits for and until when: %s', async (cause, words, text) => {
    const id = await putOff({ stage: 'rcpt', host: 'mx.example.com', ...words });
    const until = new Date(clock.now().getTime() + 240_000).toISOString();
    const waiting = { cause, host: 'mx.example.com', until, text };

    expect(await waitingOf(id)).toEqual(waiting);
    const { results } = (await api.call('GET', path, { token })).json<{ results: SingleValidation[] }>();
    expect(results.find((single) => single.id === id)).toMatchObject({ status: 'IN_PROGRESS', waiting });
  });

  it('waits no more when the next attempt is due, or when it is complete', async () => {
    const stage: EvidenceStage = { stage: 'rcpt', host: 'mx.example.com' };
    const id = await putOff(stage);
    clock.advance({ seconds: 239 });
    expect(await waitingOf(id)).not.toBeNull();
    clock.advance({ seconds: 1 });
    expect(await waitingOf(id)).toBeNull();

    const completed = await putOff(stage);
    const finding = storedFindingOf(tryAgain(stage));
    await api.database.db.transaction().execute(async (tx) => {
      const singles = [{ validationId: completed, finding }];
      await markSinglesComplete(tx, { ownerId, singles, now: clock.now() });
    });
    expect(await waitingOf(completed)).toBeNull();
  });

  it('waits for our network while port 25 is closed, unless it is an address of .test', async () => {
    const [real, ofTest] = [await start('jane@example.com'), await start('jane@exists.test')];
    expect(await waitingOf(real)).toBeNull();
    await api.database.pool.query(
      `insert into egress_health (egress, is_port_closed, is_listed, findings, checked_at, next_check_at)
       values ('default', true, false, '[]', now(), now())`,
    );
    clock.advance({ seconds: 6 });
    expect(await waitingOf(real)).toMatchObject({ cause: 'our_network', host: 'example.com', until: null });
    expect(await waitingOf(ofTest)).toBeNull();
  });
});
