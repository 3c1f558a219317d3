import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { SNACKBAR_AUTO_HIDE_MS } from '../components/snackbar.tsx';
import { theme } from './theme.ts';

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
      <Notifications position="bottom-center" autoClose={SNACKBAR_AUTO_HIDE_MS} limit={3} />
    </MantineProvider>
  );
}
