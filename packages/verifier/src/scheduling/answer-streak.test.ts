import { expect, it } from 'vitest';
import { type AnswerKind, AnswerStreaks } from './answer-streak.ts';

const connection = {};
const otherConnection = {};

function streakOf(kind: AnswerKind, count: number, streaks = new AnswerStreaks()): AnswerStreaks {
  for (let index = 0; index < count; index++) streaks.add(connection, kind);
  return streaks;
}

it.each([
  ['accepted', 2],
  ['refused', 1],
] as const)('a streak of %s is too long from %i answers', (kind, count) => {
  expect(streakOf(kind, count - 1).isTooLong(connection, kind)).toBe(false);
  expect(streakOf(kind, count).isTooLong(connection, kind)).toBe(true);
  expect(streakOf(kind, count).isTooLong(connection, kind === 'accepted' ? 'refused' : 'accepted')).toBe(
    false,
  );
});

it('an answer of the other kind ends it', () => {
  const streaks = streakOf('accepted', 1);
  streaks.add(connection, 'refused');
  expect(streakOf('accepted', 1, streaks).isTooLong(connection, 'accepted')).toBe(false);
});

it('answers and controls on another connection change nothing', () => {
  const streaks = streakOf('refused', 2);
  streaks.add(otherConnection, 'accepted');
  streaks.add(otherConnection, 'refused');
  streaks.confirm(otherConnection, 'refused');
  expect(streaks.isTooLong(connection, 'refused')).toBe(true);
  expect(streaks.isTooLong(otherConnection, 'refused')).toBe(false);
});

it.each([
  ['accepted', [2, 4, 8, 16, 32, 64, 64]],
  ['refused', [1, 2, 4, 8, 16, 16]],
] as const)('each control that bears %s out doubles how many are believed, up to a limit', (kind, counts) => {
  const streaks = new AnswerStreaks();
  for (const count of counts) {
    streakOf(kind, count - 1, streaks);
    expect(streaks.isTooLong(connection, kind)).toBe(false);
    streaks.add(connection, kind);
    expect(streaks.isTooLong(connection, kind)).toBe(true);
    streaks.confirm(connection, kind);
  }
});

it('a control of the other kind changes nothing', () => {
  const streaks = streakOf('refused', 2);
  streaks.confirm(connection, 'accepted');
  expect(streaks.isTooLong(connection, 'refused')).toBe(true);
});

it('a control that refutes it counts for an hour', () => {
  const streaks = new AnswerStreaks();
  expect(streaks.isRefuted(0)).toBe(false);
  streaks.refute(5);
  expect(streaks.isRefuted(3_600_004)).toBe(true);
  expect(streaks.isRefuted(3_600_005)).toBe(false);
});
