import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { rescueFocus } from '../navigation/rescue-focus.ts';
import { breakpointsPx } from './breakpoints.ts';
import { palette, verdictPalette } from './palette.ts';

const inEm = (px: number): string => `${px / 16}em`;

/** The library wants ten shades of each colour. Ours are flat: tone comes from the palette, per colour scheme. */
const flat = (color: string): MantineColorsTuple => [
  color,
  color,
  color,
  color,
  color,
  color,
  color,
  color,
  color,
  color,
];

// Warm greys for the light scheme and inky ones for the dark: the library's own component styles reach for these two.
const warmGray: MantineColorsTuple = [
  '#f8f4ec',
  '#f1ebe0',
  '#e9e1d3',
  '#dcd3c4',
  '#c9bfae',
  '#a49b8b',
  '#7d7568',
  '#5f5a50',
  '#403d38',
  '#26241f',
];
const inkGray: MantineColorsTuple = [
  '#ece7dd',
  '#c9c8cb',
  '#a9abb6',
  '#7c8192',
  '#2d3343',
  '#262b39',
  '#1f2431',
  '#1a1e2a',
  '#12151e',
  '#0d1017',
];

/**
 * Buttons and everything else that has a `variant`: a filled one is solid ink on paper, and paper on ink in the dark.
 * `danger` is for what cannot be undone.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const color = input.color || input.theme.primaryColor;
  if (input.variant !== 'filled' || (color !== 'ink' && color !== 'danger')) return resolved;
  return { ...resolved, color: `var(--assay-on-${color === 'ink' ? 'primary' : 'danger'})` };
};

const sans = "'IBM Plex Sans Variable', 'IBM Plex Sans Extended', system-ui, sans-serif";

export const theme = createTheme({
  fontFamily: sans,
  // One typeface is shipped. It keeps I, l, 1, O and 0 apart, so addresses and keys need no second one.
  fontFamilyMonospace: sans,
  black: palette.light.ink,
  white: palette.light.surface,
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 6 },
  colors: {
    ink: flat(palette.light.primary),
    accent: flat(palette.light.accent),
    danger: flat(verdictPalette.light.invalid.mark),
    gray: warmGray,
    dark: inkGray,
  },
  variantColorResolver,
  breakpoints: {
    xs: inEm(breakpointsPx.xs),
    sm: inEm(breakpointsPx.sm),
    md: inEm(breakpointsPx.md),
    lg: inEm(breakpointsPx.lg),
    xl: inEm(breakpointsPx.xl),
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '10px', lg: '14px', xl: '20px' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  shadows: {
    xs: '0 1px 2px var(--assay-shadow)',
    sm: '0 1px 3px var(--assay-shadow)',
    md: '0 6px 20px -6px var(--assay-shadow)',
    lg: '0 16px 40px -12px var(--assay-shadow)',
    xl: '0 24px 64px -16px var(--assay-shadow)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // The library locks scrolling with a style element, which the content-security policy refuses; base.css does it.
    Modal: {
      defaultProps: {
        centered: true,
        lockScroll: false,
        closeButtonProps: { 'aria-label': 'Close' },
        radius: 'lg',
        padding: 'lg',
        transitionProps: { transition: 'fade', duration: 150 },
        onExitTransitionEnd: rescueFocus,
      },
    },
    DrawerRoot: {
      defaultProps: {
        lockScroll: false,
        transitionProps: { duration: 150 },
        onExitTransitionEnd: rescueFocus,
      },
    },
    // Opening a menu puts the focus on its first item, and not on an empty element that screen readers stumble over.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        radius: 'md',
        shadow: 'lg',
        transitionProps: { duration: 100 },
      },
    },
    // The words on a badge are written as they are specified, not in capitals.
    Badge: { defaultProps: { tt: 'none' } },
    Tooltip: { defaultProps: { radius: 'sm', transitionProps: { duration: 100 } } },
    Loader: { defaultProps: { type: 'oval', color: 'var(--assay-accent)' } },
  },
});
