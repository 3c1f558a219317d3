import { useDeferredValue } from 'react';
import type { AsyncState } from './async-state.ts';

/**
 * The state of a slot as it is shown. The first data is still loading for one more, quick drawing: an answer from the server
 * is drawn in one task, but what is put off until after it in many short ones.
 */
export function useShownState<Data>(state: AsyncState<Data>): AsyncState<Data> {
  const hasData = state.data !== undefined;
  const isItsTurn = useDeferredValue(hasData);
  return hasData && !isItsTurn ? { status: 'loading' } : state;
}
