import './styles.css';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { lateComponent } from '../components/late-parts.tsx';
import { noticesRequested } from '../components/show-notice.ts';
import { theme } from './theme.ts';

const NoticePlace = lateComponent(async () => {
  await noticesRequested;
  return (await import('./notice-place.tsx')).NoticePlace;
});

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
