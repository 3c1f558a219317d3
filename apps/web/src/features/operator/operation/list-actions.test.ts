import { expect, it } from 'vitest';
import { listActionsOf } from './list-actions.ts';

it('a list that is being prepared cannot be finished, also while it is paused', () => {
  expect(listActionsOf({ run_state: 'preparing', is_preparing: true })).toEqual(['restart', 'pause']);
  expect(listActionsOf({ run_state: 'paused', is_preparing: true })).toEqual(['resume']);
  expect(listActionsOf({ run_state: 'paused', is_preparing: false })).toEqual(['resume', 'finish']);
});

it('a complete list and a failed one have no actions', () => {
  expect(listActionsOf({ run_state: null, is_preparing: false })).toEqual([]);
  expect(listActionsOf({ run_state: 'failed', is_preparing: false })).toEqual([]);
});
