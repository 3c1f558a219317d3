import './styles.css';
import latinUrl from '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2?url';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { preload } from 'react-dom';
import { SNACKBAR_AUTO_HIDE_MS } from '../components/snackbar.tsx';
import { theme } from './theme.ts';

/**
 * The look, around the whole app. The scheme follows the system; `/color-scheme.js` has set it before the first paint.
 * Variables and classes come from the stylesheet and not from style elements, so that the content-security policy
 * may forbid inline styles.
 */
export function AppTheme({ children }: { children: ReactNode }) {
  // The stylesheet would ask for it only when the first words are laid out.
  preload(latinUrl, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
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
