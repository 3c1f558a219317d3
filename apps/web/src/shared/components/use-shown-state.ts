import { useDeferredValue } from 'react';
import type { AsyncState } from './async-state.ts';

/**
 * Keeps the skeleton for one more render when the first data arrives. React then renders the data in short slices instead of
 * one long task.
 */
export function useShownState<Data>(state: AsyncState<Data>): AsyncState<Data> {
  const hasData = state.data !== undefined;
  const mayShowData = useDeferredValue(hasData);
  return hasData && !mayShowData ? { status: 'loading' } : state;
}
