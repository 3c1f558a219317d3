import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import type { AppServices } from '../services/services.ts';
import { ServicesContext } from '../services/services-context.tsx';
import { theme } from '../theme/theme.ts';

interface Rendered {
  /** The markup of a first render, before any effect. */
  readonly html: string;
  /** The words in it, as a reader would see them; hidden ones included. */
  readonly text: string;
}

export function renderMarkup(element: ReactNode, { path = '/' } = {}): Rendered {
  const html = renderToStaticMarkup(
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} env="test">
      <MemoryRouter initialEntries={[path]}>{element}</MemoryRouter>
    </MantineProvider>,
  );
  return { html, text: wordsOf(html) };
}

/** The same for a part of a page that loads data: it finds these there already. A first render makes no call. */
export function renderLoaded(
  element: ReactNode,
  loaded: readonly (readonly [QueryKey, unknown])[] = [],
): Rendered {
  const queryClient = new QueryClient();
  for (const [key, data] of loaded) queryClient.setQueryData(key, data);
  return renderMarkup(
    <ServicesContext value={{ api: {} } as AppServices}>
      <QueryClientProvider client={queryClient}>{element}</QueryClientProvider>
    </ServicesContext>,
  );
}

const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

/** The opening tags that hold this attribute, as written: `elementsWith(html, 'role="progressbar"')`. */
export function elementsWith(html: string, attribute: string): string[] {
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes(attribute));
}
