import './styles.css';
import { MantineProvider } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { lateComponent } from '../components/late-parts.tsx';
import { noticesRequested } from '../components/show-notice.ts';
import { theme } from './theme.ts';

const noticesRetryMs = 2_000;

const NoticePlace = lateComponent(async () => {
  await noticesRequested;
  return loadNoticePlace();
});

/** Tries until the code is there: without a connection at the first attempt, no message would ever be shown. */
const loadNoticePlace = (): Promise<ComponentType> =>
  import('./notice-place.tsx').then(
    ({ NoticePlace: Loaded }) => Loaded,
    async () => {
      await new Promise((resolve) => setTimeout(resolve, noticesRetryMs));
      return loadNoticePlace();
    },
  );

/**
 * The look, around the whole app. The scheme follows the system; `/color-scheme.js` has set it before the first paint.
 * Variables and classes come from the stylesheet and not from style elements, so that the content-security policy
 * may forbid inline styles. See docs/decisions/web-stylesheet.md.
 */
export function AppTheme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
      <NoticePlace />
    </MantineProvider>
  );
}
