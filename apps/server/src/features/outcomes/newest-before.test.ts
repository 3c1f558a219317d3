import { expect, it } from 'vitest';
import { type FoundCheck, newestBefore, newestInParts, type OutcomeToMatch } from './newest-before.ts';
import { slack } from './outcome.ts';

const start = Date.parse('2026-11-10T12:00:00Z');
const at = (second: number) => new Date(start + second * 1_000);
const outcome = (number: number, changes: Partial<OutcomeToMatch> = {}): OutcomeToMatch => ({
  number,
  at: at(number),
  slackSeconds: 0,
  listId: null,
  ...changes,
});
const check = (second: number, changes: Partial<FoundCheck> = {}): FoundCheck => ({
  index: 0,
  checkId: 'single',
  rowNumber: 0,
  isOfList: false,
  checkedAt: at(second),
  ...changes,
});
function matchesOf(outcomes: readonly OutcomeToMatch[], checks: readonly FoundCheck[]) {
  const newest = newestBefore(outcomes);
  for (const one of checks) newest.add(one);
  return Object.fromEntries([...newest.matches()].map((match) => [match.number, match.check]));
}

it('finds the newest check before each outcome, in any order', () => {
  const [first, second, third] = [check(10), check(20), check(30)];
  const outcomes = [outcome(35), outcome(5), outcome(15), outcome(25)];
  const expected = { 15: first, 25: second, 35: third };
  expect(matchesOf(outcomes, [first, second, third])).toEqual(expected);
  expect(matchesOf(outcomes, [third, first, second])).toEqual(expected);
});

it('counts a check of the same second as before, and one of the next second not', () => {
  expect(matchesOf([outcome(10)], [check(10.9)])).toHaveProperty('10');
  expect(matchesOf([outcome(10)], [check(11)])).toEqual({});
  expect(matchesOf([outcome(10, { slackSeconds: slack.minute })], [check(69)])).toHaveProperty('10');
  expect(matchesOf([outcome(10, { slackSeconds: slack.mail })], [check(69)])).toEqual({});
});

it('an outcome about a list has only checks of the list', () => {
  const ofList = check(1, { checkId: 'a', isOfList: true });
  const outcomes = [outcome(5, { listId: 'a' }), outcome(6), outcome(7, { listId: 'b' })];
  const later = check(4, { checkId: 'c', isOfList: true });
  expect(matchesOf(outcomes, [later, ofList, check(3)])).toEqual({ 5: ofList, 6: later });
});

it('answers for one outcome as it does among others', () => {
  const checks = [1, 4, 9].flatMap((second) => [
    check(second),
    check(second, { checkId: 'a', isOfList: true }),
    check(second - 181 * 86_400, { checkId: 'b', isOfList: true }),
  ]);
  const outcomes = [0, 3, 5, 20].flatMap((second) =>
    [null, 'a', 'b', 'c'].map((listId, place) => ({
      ...outcome(second),
      number: second * 10 + place,
      listId,
    })),
  );
  const together = matchesOf(outcomes, checks);
  const alone = Object.assign({}, ...outcomes.map((one) => matchesOf([one], checks)));
  expect(Object.keys(together)).toHaveLength(6);
  expect(alone).toEqual(together);
});

it('lets other work run between parts of the outcomes of one address', async () => {
  const outcomes = Array.from({ length: 20_000 }, (_, n) => outcome((n * 7919) % 20_000));
  const checks = [check(5_000), check(15_000)];
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);

  const parts = await newestInParts(outcomes);
  isDone = true;

  expect(turns).toBeGreaterThan(8);
  expect(Math.max(...parts.map(({ outcomeCount }) => outcomeCount))).toBe(2_000);
  for (const part of parts) for (const one of checks) part.add(one);
  const matches = parts.flatMap((part) => [...part.matches()]).map((match) => [match.number, match.check]);
  expect(Object.fromEntries(matches)).toEqual(matchesOf(outcomes, checks));
});

it('takes time in proportion to the outcomes and checks of one address', () => {
  const cpuMsOf = (count: number): number => {
    const outcomes = Array.from({ length: count }, (_, n) => outcome(n));
    const checks = Array.from({ length: count }, (_, n) => check((n * 7919) % count));
    const before = process.threadCpuUsage();
    matchesOf(outcomes, checks);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  cpuMsOf(100);
  const [short, long] = [cpuMsOf(10_000), cpuMsOf(40_000)];
  // Comparing each with each takes sixteen times as long, and tens of seconds.
  expect(long).toBeLessThan(4 * 2 * short + 100);
});
