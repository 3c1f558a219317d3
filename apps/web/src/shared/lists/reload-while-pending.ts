import type { Query } from '@tanstack/react-query';
import type { AnyList } from './any-list.ts';

const reloadMs = 30_000;

/** How often the page of a list asks for it. No event says that we cannot reach mail hosts, or that we can again. */
export const reloadWhilePending = ({
  state,
}: Pick<Query<AnyList, Error, AnyList>, 'state'>): number | false =>
  state.data?.status === 'PENDING' ? reloadMs : false;
