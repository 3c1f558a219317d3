import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import type { LoaderFunctionArgs } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { notFound } from './guards.ts';
import { createLatePages } from './late-page.tsx';

const visit = {} as LoaderFunctionArgs;
const Page = () => 'the page itself';
const never = () => new Promise<typeof Page>(() => {});

let latePage: ReturnType<typeof createLatePages>;
let isStarting: boolean;
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
  isStarting = false;
  latePage = createLatePages(() => isStarting);
  loads = 0;
});

it('loads the code of a page once, however often it is visited', async () => {
  const { loader } = latePage(load);

  await loader(visit);
  await loader(visit);

  expect(loads).toBe(1);
});

it('does not wait for the code while the app starts, and does afterwards', async () => {
  isStarting = true;
  await latePage(never).loader(visit);

  isStarting = false;
  await expect(latePage(failToLoad).loader(visit)).rejects.toThrow('not reached');
});

it('tries again at the next visit when the code could not be loaded', async () => {
  const { loader } = latePage(failToLoad);

  await expect(loader(visit)).rejects.toThrow('not reached');
  await expect(loader(visit)).rejects.toThrow('not reached');

  expect(loads).toBe(2);
});

it('404 when its guard refuses the visitor', async () => {
  const { loader } = latePage(load, { guard: async () => notFound() });

  await expect(loader(visit)).rejects.toMatchObject({ status: 404 });
});

const shown = ({ Component }: ReturnType<typeof latePage>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Component />
    </MantineProvider>,
  );

it('shows the title before the first page, even if its code is there, and every later page at once', async () => {
  isStarting = true;
  const first = latePage(load, { title: 'Billing' });
  await first.loader(visit);
  expect(shown(first)).toContain('Billing');
  expect(shown(first)).not.toContain('the page itself');

  isStarting = false;
  const later = latePage(load, { title: 'Account' });
  await later.loader(visit);
  expect(shown(later)).toContain('the page itself');
});
