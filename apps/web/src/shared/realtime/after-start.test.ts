import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { afterStart } from './after-start.ts';

const start = (queryClient: QueryClient, said: string[]) => {
  const answer = Promise.withResolvers<string>();
  const call = new MutationObserver(queryClient, {
    mutationFn: () => answer.promise,
    meta: { startsWork: true },
  }).mutate();
  const told = call.then(
    () => said.push('started'),
    () => said.push('refused'),
  );
  return { ...answer, told };
};

it('a result that arrives before the answer to its start is shown after it', async () => {
  const queryClient = new QueryClient();
  const said: string[] = [];
  const { resolve } = start(queryClient, said);
  const resultTold = new Promise<void>((done) => {
    afterStart(queryClient, () => {
      said.push('successful');
      done();
    });
  });
  resolve('started');
  await resultTold;

  expect(said).toEqual(['started', 'successful']);
});

it('a result is shown at once when no work is being started, and after a refused start', async () => {
  const queryClient = new QueryClient();
  const said: string[] = [];
  afterStart(queryClient, () => said.push('first'));
  expect(said).toEqual(['first']);

  const { reject } = start(queryClient, said);
  const resultTold = new Promise<void>((done) => {
    afterStart(queryClient, done);
  });
  reject(new Error('no credits'));
  await resultTold;
  expect(said).toEqual(['first', 'refused']);
});
