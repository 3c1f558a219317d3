import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { FreshQueryClient } from './fresh-query-client.ts';

/** A query whose answers the test gives, each to the request that it belongs to. */
function watchedQuery() {
  const queryClient = new FreshQueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  });
  const requests: { answer: (status: string) => void; signal: AbortSignal }[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ['list', 'l1'],
    queryFn: ({ signal }) =>
      new Promise<string>((answer) => {
        requests.push({ answer, signal });
      }),
  });
  const stop = observer.subscribe(() => {});
  return { queryClient, observer, requests, stop };
}

it('does not show a first load that began before the change', async () => {
  const { queryClient, observer, requests, stop } = watchedQuery();
  const reloaded = queryClient.invalidateQueries({ queryKey: ['list'] });
  requests[0]?.answer('PENDING');
  requests[1]?.answer('COMPLETE');
  await reloaded;

  expect(requests).toHaveLength(2);
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(observer.getCurrentResult()).toMatchObject({ data: 'COMPLETE', isError: false });
  stop();
});

it('neither is a later load', async () => {
  const { queryClient, observer, requests, stop } = watchedQuery();
  requests[0]?.answer('nothing yet');
  await queryClient.ensureQueryData({ queryKey: ['list', 'l1'] });
  void queryClient.invalidateQueries();
  const reloaded = queryClient.invalidateQueries();
  requests[1]?.answer('PENDING');
  requests[2]?.answer('COMPLETE');
  await reloaded;

  expect(observer.getCurrentResult().data).toBe('COMPLETE');
  stop();
});

it('callers that await the first load get the later answer', async () => {
  const { queryClient, requests, stop } = watchedQuery();
  const waiting = queryClient.ensureQueryData({ queryKey: ['list', 'l1'] });
  void queryClient.invalidateQueries();
  requests[1]?.answer('COMPLETE');

  await expect(waiting).resolves.toBe('COMPLETE');
  stop();
});

it('leaves other queries alone', () => {
  const { queryClient, requests, stop } = watchedQuery();
  void queryClient.invalidateQueries({ queryKey: ['wallet'] });

  expect(requests).toHaveLength(1);
  expect(requests[0]?.signal.aborted).toBe(false);
  stop();
});

it('lets a first load finish where its answer is recent enough', async () => {
  const { queryClient, observer, requests, stop } = watchedQuery();
  const reloaded = queryClient.invalidateQueries({}, { cancelRefetch: false });
  requests[0]?.answer('PENDING');
  await reloaded;

  expect(requests).toHaveLength(1);
  expect(observer.getCurrentResult().data).toBe('PENDING');
  stop();
});
