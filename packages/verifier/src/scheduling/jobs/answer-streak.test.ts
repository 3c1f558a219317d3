import { expect, it } from 'vitest';
import { type AnswerKind, AnswerStreaks } from './answer-streak.ts';

const connection = {};
const otherConnection = {};

function streakOf(kind: AnswerKind, count: number, streaks = new AnswerStreaks()) {
  for (let index = 1; index < count; index++) streaks.add(connection, kind, 0);
  return streaks.add(connection, kind, 0);
}

it('answers of one kind on one connection are one streak', () => {
  const streaks = new AnswerStreaks();
  const streak = streakOf('refused', 2, streaks);
  expect(streak).toMatchObject({ connection, kind: 'refused', count: 2, isConfirmed: false });
  expect(streaks.latestOn(connection)).toBe(streak);
  expect(streaks.add(otherConnection, 'refused', 0)).not.toBe(streak);
  expect(streaks.add(connection, 'refused', 0)).toBe(streak);
});

it('an answer of the other kind on the same connection confirms it and starts another', () => {
  const streaks = new AnswerStreaks();
  const streak = streakOf('accepted', 2, streaks);
  streaks.add(otherConnection, 'refused', 0);
  expect(streak.isConfirmed).toBe(false);
  expect(streaks.add(connection, 'refused', 0)).not.toBe(streak);
  expect(streak.isConfirmed).toBe(true);
});

it('an answer after it was confirmed starts another', () => {
  const streaks = new AnswerStreaks();
  const streak = streakOf('refused', 2, streaks);
  streaks.confirm(connection, 'refused');
  expect(streak.isConfirmed).toBe(true);
  expect(streaks.add(connection, 'refused', 0)).toMatchObject({ count: 1, isConfirmed: false });
});

it('is not confirmed by another kind or on another connection', () => {
  const streaks = new AnswerStreaks();
  const streak = streakOf('refused', 2, streaks);
  streaks.confirm(connection, 'accepted');
  streaks.confirm(otherConnection, 'refused');
  expect(streak.isConfirmed).toBe(false);
});

it('has the time of its latest answer', () => {
  const streaks = new AnswerStreaks();
  const streak = streaks.add(connection, 'refused', 5);
  expect(streak.latestAt).toBe(5);
  streaks.add(connection, 'refused', 9);
  expect(streak.latestAt).toBe(9);
});

it('has one question to its connection, and says whether an address waits for the answer', () => {
  const streak = streakOf('refused', 1);
  expect(streak.hasWaiting).toBe(false);
  const { question } = streak;
  expect(streak.hasWaiting).toBe(false);
  question.waiting.push('jane@example.com');
  expect(streak.question).toBe(question);
  expect(streak.hasWaiting).toBe(true);
});

it('confirms nothing without a connection, or on one without answers', () => {
  const streaks = new AnswerStreaks();
  streaks.confirm(undefined, 'refused');
  streaks.confirm(otherConnection, 'refused');
  expect(streaks.latestOn(otherConnection)).toBe(undefined);
  expect(streaks.isTooLong(streakOf('refused', 1, streaks))).toBe(true);
});

it('a new answer means that its transaction is not over', () => {
  const streaks = new AnswerStreaks();
  const streak = streakOf('refused', 1, streaks);
  expect(streak.isTransactionOver).toBe(false);
  streak.isTransactionOver = true;
  streaks.add(connection, 'refused', 0);
  expect(streak.isTransactionOver).toBe(false);
});

it.each([
  ['accepted', [2, 4, 8, 8]],
  ['refused', [1, 2, 4, 4]],
] as const)(
  'each one of %s that is confirmed doubles how many may go unchecked, up to a limit',
  (kind, counts) => {
    const streaks = new AnswerStreaks();
    for (const count of counts) {
      if (count > 1) expect(streaks.isTooLong(streakOf(kind, count - 1, streaks))).toBe(false);
      expect(streaks.isTooLong(streaks.add(connection, kind, 0))).toBe(true);
      streaks.confirm(connection, kind);
    }
  },
);

it('short streaks, and a second confirmation of the same one, raise nothing', () => {
  const streaks = new AnswerStreaks();
  streakOf('accepted', 1, streaks);
  streaks.confirm(connection, 'accepted');
  expect(streaks.isTooLong(streakOf('accepted', 2, streaks))).toBe(true);
  streaks.confirm(connection, 'accepted');
  streaks.confirm(connection, 'accepted');
  expect(streaks.isTooLong(streakOf('accepted', 4, streaks))).toBe(true);
});

it('an answer of the other kind raises nothing, and leaves the limits of its own kind', () => {
  const streaks = new AnswerStreaks();
  streakOf('accepted', 2, streaks);
  streaks.add(connection, 'refused', 0);
  expect(streaks.isTooLong(streakOf('accepted', 2, streaks))).toBe(true);
});

it('a dearer question is asked after longer streaks', () => {
  const streaks = new AnswerStreaks();
  expect(streaks.isTooLong(streakOf('refused', 3, streaks), 4)).toBe(false);
  expect(streaks.isTooLong(streaks.add(connection, 'refused', 0), 4)).toBe(true);
});
