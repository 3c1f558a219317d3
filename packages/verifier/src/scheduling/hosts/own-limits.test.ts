import { describe, expect, it } from 'vitest';
import { ownLimitNote } from '../../evidence.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ok, openPool, turn } from '../../testing/open-pool.ts';

const hourMs = 3_600_000;
const no = (count: number) => Array<string>(count).fill('550 5.1.1 No such user');
/** Ten of a hundred recipients may be unknown; two of these slots are kept for questions of our own. */
const provider = { name: 'example.com', unknown: { share: 0.1, recipients: 100 } };

describe('our own limit for a provider', () => {
  it('lets no more through than may be unknown, and more when the host accepted them', async () => {
    const { add, open, sessions } = openPool({ provider });
    await add(40);
    const session = await open();
    expect(session.transactions.map(({ length }) => length)).toEqual([8]);
    session.answer(...ok(8));
    await new Promise(setImmediate);
    expect(session.transactions.map(({ length }) => length)).toEqual([8, 8]);
    expect(sessions).toHaveLength(1);
  });

  it('that is spent turns new addresses away until the first refusal is an hour old', async () => {
    const strict = { name: 'example.com', unknown: { share: 0.02, recipients: 100 } };
    const { add, open, log, stages, situation } = openPool({ provider: strict });
    situation.waits = false;
    await add(10);
    const session = await open();
    session.answer(...no(2));
    await new Promise(setImmediate);

    const heldOff = log.filter((line) => line.includes('held off'));
    expect(heldOff).toHaveLength(8);
    expect(heldOff[0]).toContain(`held off for ${hourMs}: throttled at connect`);
    expect(stages.at(-1)).toMatchObject({
      note: ownLimitNote,
      limit: 'at most 2 of 100 recipients that example.com may not know',
      rule: 'own-limit',
    });
    await add(1, 'late');
    expect(log.filter((line) => line.startsWith('late1 held off'))).toHaveLength(1);
  });

  it('opens no connection for addresses that must wait', async () => {
    const strict = { name: 'example.com', unknown: { share: 0.02, recipients: 100 } };
    const { add, open, sessions, end, clock } = openPool({ provider: strict });
    await add(10);
    const session = await open();
    session.answer(...no(2));
    await end(session, { kind: 'quit' });
    await add(1, 'late');
    expect(sessions).toHaveLength(1);
    clock.advance(hourMs);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(sessions).toHaveLength(2);
  });

  it('opens no connection for a customer who must wait while others might ask, and takes no host for silent then', async () => {
    const wider = { name: 'example.com', unknown: { share: 0.3, recipients: 100 } };
    const { clock, pool, sessions, events, domain, open, end } = openPool({ provider: wider });
    const stranger = new RecordingClient({ customer: 'stranger' });
    for (let index = 0; index < 60; index++) pool.add(buildJob(`u${index}`, stranger, domain));
    await turn();
    const session = await open();
    while (session.outstanding > 0) {
      session.answer(...no(session.outstanding));
      await turn();
    }
    // Three quarters of 30 are spent, and the rest is for others.
    expect(session.askedCount).toBeGreaterThanOrEqual(22);
    expect(session.askedCount).toBeLessThan(30);
    const opened = sessions.length;

    await end(session, { kind: 'quit' });
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(60_000);
      await turn();
    }

    expect(sessions).toHaveLength(opened);
    expect(events.filter((event) => event.endsWith('is silent'))).toEqual([]);
  });
});
