import type { LoaderFunctionArgs } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { notFound } from './guards.ts';
import { createLatePages } from './late-page.tsx';

const visit = {} as LoaderFunctionArgs;
const Page = () => null;
const never = () => new Promise<typeof Page>(() => {});

let latePage: ReturnType<typeof createLatePages>;
let loads: number;
const load = async () => {
  loads += 1;
  return Page;
};
const failToLoad = async () => {
  loads += 1;
  throw new Error('not reached');
};

beforeEach(() => {
  latePage = createLatePages();
  loads = 0;
});

it('loads the code of a page once, however often it is visited', async () => {
  const { loader } = latePage(load);

  await loader(visit);
  await loader(visit);

  expect(loads).toBe(1);
});

it('does not wait for the code of the first page, but for that of later ones', async () => {
  await latePage(never).loader(visit);

  let isThere = false;
  const later = Promise.withResolvers<typeof Page>();
  const opened = Promise.resolve(latePage(() => later.promise).loader(visit)).then(() => {
    isThere = true;
  });
  await Promise.resolve();
  expect(isThere).toBe(false);
  later.resolve(Page);
  await opened;
});

it('tries again at the next visit when the code could not be loaded', async () => {
  const { loader } = latePage(failToLoad);

  await loader(visit);
  expect(loads).toBe(1);
  await expect(loader(visit)).rejects.toThrow('not reached');
  expect(loads).toBe(2);
});

it('does not exist for those whom its guard refuses', async () => {
  const { loader } = latePage(load, async () => notFound());

  await expect(loader(visit)).rejects.toMatchObject({ status: 404 });
});
