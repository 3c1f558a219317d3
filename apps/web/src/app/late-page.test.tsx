import type { LoaderFunctionArgs } from 'react-router';
import { expect, it } from 'vitest';
import { notFound } from './guards.ts';
import { latePage } from './late-page.tsx';

const visit = {} as LoaderFunctionArgs;
const Page = () => null;

it('loads the code of a page once, however often it is visited', async () => {
  let loads = 0;
  const { loader } = latePage(async () => {
    loads += 1;
    return Page;
  });

  await loader(visit);
  await loader(visit);

  expect(loads).toBe(1);
});

it('does not wait for the code', () => {
  const { loader } = latePage(() => new Promise(() => {}));

  expect(loader(visit)).toBeNull();
});

it('tries again at the next visit when the code could not be loaded', async () => {
  let loads = 0;
  const { loader } = latePage(async () => {
    loads += 1;
    throw new Error('not reached');
  });

  await loader(visit);
  expect(loads).toBe(1);
  await loader(visit);
  expect(loads).toBe(2);
});

it('does not exist for those whom its guard refuses', async () => {
  const { loader } = latePage(
    async () => Page,
    async () => notFound(),
  );

  await expect(loader(visit)).rejects.toMatchObject({ status: 404 });
});
