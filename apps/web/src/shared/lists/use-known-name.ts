import { useQueryClient } from '@tanstack/react-query';
import type { NamedList } from './any-list.ts';
import type { ListKeys } from './list-keys.ts';

/** The name of a list that a grid has loaded. */
export function useKnownName({ lists }: ListKeys, listId: string): string | undefined {
  const pages = useQueryClient().getQueriesData<{ readonly results: readonly NamedList[] }>({
    queryKey: lists,
  });
  return pages.flatMap(([, page]) => page?.results ?? []).find(({ id }) => id === listId)?.name;
}
