import type { QueryKey } from '@tanstack/react-query';

/** Under which query keys the lists of one kind stand. */
export interface ListKeys {
  readonly lists: QueryKey;
  /** Followed by the id of the list, as are its rows. */
  readonly list: QueryKey;
  readonly rows: QueryKey;
  /** Counts over all lists, which change when one is created, completed or deleted. */
  readonly counts: readonly QueryKey[];
}
