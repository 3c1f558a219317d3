import { expect, it } from 'vitest';
import { runStateOf } from './run-state.ts';

it.each([
  ['PENDING', { left: 3, waiting: 0, isPortClosed: false }, 'running'],
  ['PENDING', { left: 3, waiting: 2, isPortClosed: false }, 'running'],
  ['PENDING', { left: 3, waiting: 3, isPortClosed: false }, 'waiting'],
  ['PENDING', { left: 3, waiting: 0, isPortClosed: true }, 'waiting'],
  ['PENDING', { left: 0, waiting: 0, isPortClosed: true }, 'running'],
  ['PAUSED', { left: 3, waiting: 3, isPortClosed: true }, 'paused'],
  ['FINISHING', { left: 3, waiting: 0, isPortClosed: true }, 'finishing'],
  ['PREPARING', { left: 3, waiting: 0, isPortClosed: true }, 'preparing'],
  ['FAILED', { left: 3, waiting: 0, isPortClosed: false }, 'failed'],
  ['COMPLETE', { left: 0, waiting: 0, isPortClosed: true }, null],
] as const)('the run state of a list that is %s with %j is %s', (status, rows, runState) => {
  expect(runStateOf({ status, paused_at: null }, rows)).toBe(runState);
});

it('a list that is paused while it is prepared is paused', () => {
  const rows = { left: 3, waiting: 0, isPortClosed: false };
  expect(runStateOf({ status: 'PREPARING', paused_at: new Date() }, rows)).toBe('paused');
});
