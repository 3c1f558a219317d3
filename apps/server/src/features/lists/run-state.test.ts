import { expect, it } from 'vitest';
import { runStateOf } from './run-state.ts';

it.each([
  ['PENDING', { rowsLeft: 3, rowsWaiting: 0 }, 'running'],
  ['PENDING', { rowsLeft: 3, rowsWaiting: 2 }, 'running'],
  ['PENDING', { rowsLeft: 3, rowsWaiting: 3 }, 'waiting'],
  ['PENDING', { rowsLeft: 0, rowsWaiting: 0 }, 'running'],
  ['PAUSED', { rowsLeft: 3, rowsWaiting: 3 }, 'paused'],
  ['FINISHING', { rowsLeft: 3, rowsWaiting: 0 }, 'finishing'],
  ['COMPLETE', { rowsLeft: 0, rowsWaiting: 0 }, null],
] as const)('the run state of a list that is %s with %j is %s', (status, rows, runState) => {
  expect(runStateOf(status, rows)).toBe(runState);
});
