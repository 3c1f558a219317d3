import { describe, expect, it } from 'vitest';
import { ownLimitNote } from '../../evidence.ts';
import { ok, openPool } from '../../testing/open-pool.ts';

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
});
