import { expect, it } from 'vitest';
import { type AnswerKind, AnswerStreak } from './answer-streak.ts';

function streakOf(kind: AnswerKind, count: number, streak = new AnswerStreak()): AnswerStreak {
  for (let index = 0; index < count; index++) streak.add(kind);
  return streak;
}

it.each([
  ['accepted', 2],
  ['refused', 1],
] as const)('a streak of %s is too long from %i answers', (kind, count) => {
  expect(streakOf(kind, count - 1).isTooLong(kind)).toBe(false);
  expect(streakOf(kind, count).isTooLong(kind)).toBe(true);
  expect(streakOf(kind, count).isTooLong(kind === 'accepted' ? 'refused' : 'accepted')).toBe(false);
});

it('an answer of the other kind ends it', () => {
  const streak = streakOf('accepted', 1);
  streak.add('refused');
  expect(streakOf('accepted', 1, streak).isTooLong('accepted')).toBe(false);
});

it.each([
  ['accepted', [2, 4, 8, 16, 32, 64, 64]],
  ['refused', [1, 2, 4, 8, 16, 16]],
] as const)('each control that bears %s out doubles how many are believed, up to a limit', (kind, counts) => {
  const streak = new AnswerStreak();
  for (const count of counts) {
    streakOf(kind, count - 1, streak);
    expect(streak.isTooLong(kind)).toBe(false);
    streak.add(kind);
    expect(streak.isTooLong(kind)).toBe(true);
    streak.confirm(kind);
  }
});

it('a control of the other kind changes nothing', () => {
  const streak = streakOf('refused', 2);
  streak.confirm('accepted');
  expect(streak.isTooLong('refused')).toBe(true);
});

it('a control that refutes it counts for an hour', () => {
  const streak = new AnswerStreak();
  expect(streak.isRefuted(0)).toBe(false);
  streak.refute(5);
  expect(streak.isRefuted(3_600_004)).toBe(true);
  expect(streak.isRefuted(3_600_005)).toBe(false);
});
