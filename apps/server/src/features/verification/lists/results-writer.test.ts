import { describe, expect, it } from 'vitest';
import { movableClock } from '../../../testing/clock.ts';
import type { RowFinding } from '../rows/results.store.ts';
import { defaultLimits, ResultsWriter } from './results-writer.ts';
import type { RunSeen } from './write-results.ts';

const nextTurn = () => new Promise(setImmediate);
const place = { ownerId: 'owner', listId: 'list', run: 1 };
const goesOn = { number: 1, isWorkedOn: true };
const rows = (...rowNumbers: number[]): RowFinding[] =>
  rowNumbers.map((rowNumber) => ({
    rowNumber,
    verdict: 'VALID',
    reason: 'mailbox_accepted',
    flags: 0,
    mxProvider: null,
    suggestion: null,
    detail: '{}',
  }));

/** Writes when the test lets it, and remembers what was written together. */
function createHeldWriter({ lengthMin = 3, lengthMax = 4, waitMaxMs = 3_600_000 } = {}) {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<RunSeen>[] = [];
  const writer = new ResultsWriter(
    (_place, findings) => {
      batches.push(findings.map(({ rowNumber }) => rowNumber));
      const gate = Promise.withResolvers<RunSeen>();
      gates.push(gate);
      return gate.promise;
    },
    { lengthMin, lengthMax, waitMaxMs },
  );
  const written = async (index: number, run: RunSeen = goesOn) => {
    gates[index]?.resolve(run);
    await nextTurn();
    await nextTurn();
  };
  return { writer, batches, gates, written };
}

describe('ResultsWriter', () => {
  it('writes when there are enough results, one batch of a list at a time', async () => {
    const { writer, batches, written } = createHeldWriter();
    const [one, other] = [writer.open(place), writer.open(place)];

    one.add(rows(1, 2));
    await nextTurn();
    expect(batches).toEqual([]);
    other.add(rows(3));
    await nextTurn();
    one.add(rows(4, 5, 6, 7, 8));
    await nextTurn();
    expect(batches).toEqual([[1, 2, 3]]);
    await written(0);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });

  it('writes at once when every piece of the list waits for its last results', async () => {
    const { writer, batches, written } = createHeldWriter();
    const [one, other] = [writer.open(place), writer.open(place)];
    one.add(rows(1));
    const finished = one.finish();
    await nextTurn();
    expect(batches).toEqual([]);

    const otherFinished = other.finish();
    await nextTurn();

    expect(batches).toEqual([[1]]);
    await written(0);
    await Promise.all([finished, otherFinished]);
  });

  it('writes at least every second, so that progress moves', async () => {
    const clock = movableClock();
    const begin = clock.now().getTime();
    const writtenAtMs: number[] = [];
    const writer = new ResultsWriter(
      async () => {
        writtenAtMs.push(clock.now().getTime() - begin);
        return goesOn;
      },
      defaultLimits,
      clock.schedule,
    );
    const piece = writer.open(place);

    for (let row = 1; row <= 50; row += 1) {
      piece.add(rows(row));
      clock.advance({ ms: 100 });
      await nextTurn();
    }

    const moments = [0, ...writtenAtMs, 5_000];
    const gapsMs = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    expect(Math.max(...gapsMs)).toBeLessThanOrEqual(1_000);
  });

  it('does not let one list wait for another', async () => {
    const { writer, batches } = createHeldWriter();
    writer.open(place).add(rows(1, 2, 3));

    writer.open({ ...place, listId: 'another' }).add(rows(7, 8, 9));
    await nextTurn();

    expect(batches).toEqual([
      [1, 2, 3],
      [7, 8, 9],
    ]);
  });

  it('fails every open piece of a list when a batch fails, and no later piece', async () => {
    const { writer, batches, gates, written } = createHeldWriter();
    const [one, other] = [writer.open(place), writer.open(place)];
    one.add(rows(1, 2, 3, 4, 5));
    const finished = one.finish();
    await nextTurn();
    gates[0]?.reject(new Error('the database is away'));

    await expect(finished).rejects.toThrow('the database is away');
    expect(() => other.add(rows(5))).toThrow('the database is away');
    one.close();
    other.close();

    const again = writer.open(place);
    again.add(rows(1, 2, 3));
    await nextTurn();
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
    ]);
    await written(1);
    await again.finish();
  });

  it('lets a piece finish at once when its results are written', async () => {
    const { writer, written } = createHeldWriter();
    const piece = writer.open(place);
    piece.add(rows(1, 2, 3));
    await nextTurn();
    await written(0);

    await expect(piece.finish()).resolves.toBeUndefined();
  });

  it('ends the pieces of a run that a write finds over, but not those of a later run', async () => {
    const { writer, written } = createHeldWriter();
    const [paused, later] = [writer.open(place), writer.open({ ...place, run: 2 })];
    paused.add(rows(1, 2, 3));
    await nextTurn();
    expect(paused.isWanted()).toBe(true);

    await written(0, { number: 1, isWorkedOn: false });

    expect([paused.isWanted(), later.isWanted()]).toEqual([false, true]);
    later.add(rows(4, 5, 6));
    await nextTurn();
    await written(1, { number: 2, isWorkedOn: true });
    expect([paused.isWanted(), later.isWanted()]).toEqual([false, true]);
  });
});
