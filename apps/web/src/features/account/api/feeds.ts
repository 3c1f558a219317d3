import type { Feed, FeedSender } from '@assay/contract';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

const feedsKey = ['outcomes', 'feeds'] as const;
/** Events come at any time, and each would be too small for a message of its own. */
const refetchMs = 10_000;

export function useFeeds() {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: feedsKey,
      queryFn: async ({ signal }): Promise<Feed[]> => (await api.feeds.listFeeds({ signal })).results,
      refetchInterval: refetchMs,
    }),
  );
}

interface NewFeed {
  sender: FeedSender;
  key?: string;
  topic_arn?: string;
}

export function useCreateFeed() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewFeed) => api.feeds.createFeed({ body }),
    meta: { hasOwnErrorText: true },
    onSettled: () => reload(queryClient),
  });
}

export function useChangeFeed({ id }: Feed) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { key: string } | { topic_arn: string }) =>
      api.feeds.updateFeed({ params: { id }, body }),
    meta: { hasOwnErrorText: true },
    onSettled: () => reload(queryClient),
  });
}

export function useRotateFeedSecret({ id }: Feed) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.feeds.rotateFeedSecret({ params: { id } }),
    meta: { hasOwnErrorText: true },
    onSettled: () => reload(queryClient),
  });
}

export function useDeleteFeed({ id }: Feed) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.feeds.deleteFeed({ params: { id } }),
    onSettled: () => reload(queryClient),
  });
}

const reload = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: feedsKey });
