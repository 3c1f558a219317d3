import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
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
