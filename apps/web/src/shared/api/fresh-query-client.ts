import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * A query client whose `invalidateQueries` shows only answers that were asked for after the call. The library's own keeps
 * the request of a query that is being loaded for the first time, and shows its answer as fresh although the server may have
 * written it before the change. The last event of a list was lost this way, and its page stayed at 'still being processed'.
 */
export class FreshQueryClient extends QueryClient {
  // The library has another overload for typed keys; this one takes whatever that takes.
  override invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    if (options.cancelRefetch !== false && filters.refetchType !== 'none') this.#cancelFirstLoads(filters);
    return super.invalidateQueries(filters, options);
  }

  #cancelFirstLoads(filters: InvalidateQueryFilters): void {
    const loading = this.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' });
    for (const query of loading) {
      // Silently: callers that await the cancelled request get the answer to the next one.
      if (query.state.data === undefined) void query.cancel({ silent: true });
    }
  }
}
