/**
 * A slot of data that comes from the server. It is pending until a component asks for it, then loading, then complete or
 * failed. While it is loading again, or after that failed, the earlier data may still be there.
 */
export type AsyncState<Data> =
  | { readonly status: 'pending'; readonly data?: undefined }
  | { readonly status: 'loading'; readonly data?: Data | undefined }
  | { readonly status: 'complete'; readonly data: Data }
  | { readonly status: 'failed'; readonly data?: Data | undefined };

/** The part of a query's result that tells its state; any result of `useQuery` fits. */
export interface QueryStanding<Data> {
  readonly data: Data | undefined;
  readonly isFetching: boolean;
  readonly isError: boolean;
}

export function asyncStateOf<Data>({ data, isFetching, isError }: QueryStanding<Data>): AsyncState<Data> {
  if (isFetching) return { status: 'loading', data };
  if (isError) return { status: 'failed', data };
  if (data !== undefined) return { status: 'complete', data };
  return { status: 'pending' };
}
