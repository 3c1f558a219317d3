import type { RealtimeEvent } from '@assay/contract';
import type { AnyList } from './any-list.ts';

/** What an event says of a list. */
export type ListNews = RealtimeEvent['event_metadata'];

/** The list with the counts that the news hold, if they hold any. */
export type WithCounts<List> = (list: List, news: ListNews) => List;

/**
 * The later of what was loaded and what the live line said since, by their progress. Counts always come with the progress
 * that they belong to.
 */
export function laterOf<List extends AnyList>(
  list: List,
  news: ListNews | undefined,
  withCounts: WithCounts<List>,
): List {
  if (list.status === 'COMPLETE' || news?.progress === undefined || news.progress <= list.progress) {
    return list;
  }
  return { ...withCounts(list, news), progress: news.progress };
}
