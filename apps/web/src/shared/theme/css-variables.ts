import type { CSSVariablesResolver } from '@mantine/core';
import { type ColorSchemeName, palette, type VerdictTone, verdictPalette } from './palette.ts';

// Read when `theme.generated.css` is written, not at run time: see theme-stylesheet.test.ts.

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const verdictVariables = (scheme: ColorSchemeName): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(verdictPalette[scheme]) as VerdictTone[]).flatMap((verdict) => {
      const { mark, text, tint } = verdictPalette[scheme][verdict];
      const name = `--verdict-${kebab(verdict)}`;
      return [
        [name, mark],
        [`${name}-text`, text],
        [`${name}-tint`, tint],
      ];
    }),
  );

/** All ten shades alike: where the library picks a shade itself, it gets the tone of the scheme. */
const shades = (name: string, tone: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 10 }, (_, shade) => [`--mantine-color-${name}-${shade}`, tone]));

/** What the library derives from its shades, said in our own colours instead. */
const libraryVariables = (scheme: ColorSchemeName): Record<string, string> => {
  const invalid = verdictPalette[scheme].invalid;
  return {
    ...shades('ink', 'var(--assay-ink)'),
    ...shades('accent', 'var(--assay-accent)'),
    ...shades('danger', invalid.text),
    '--mantine-color-body': 'var(--assay-paper)',
    '--mantine-color-text': 'var(--assay-ink)',
    '--mantine-color-bright': 'var(--assay-ink)',
    '--mantine-color-dimmed': 'var(--assay-ink-muted)',
    '--mantine-color-placeholder': 'var(--assay-ink-muted)',
    '--mantine-color-anchor': 'var(--assay-accent)',
    '--mantine-color-error': invalid.text,
    '--mantine-color-success': verdictPalette[scheme].valid.text,
    '--mantine-color-default': 'var(--assay-surface)',
    '--mantine-color-default-hover': 'var(--assay-sunken)',
    '--mantine-color-default-color': 'var(--assay-ink)',
    '--mantine-color-default-border': 'var(--assay-line-strong)',
    '--mantine-color-disabled': 'var(--assay-sunken)',
    '--mantine-color-disabled-color': 'var(--assay-ink-muted)',
    '--mantine-color-disabled-border': 'var(--assay-line)',
    '--mantine-primary-color-contrast': 'var(--assay-on-primary)',
    '--mantine-color-ink-filled': 'var(--assay-primary)',
    '--mantine-color-ink-filled-hover': 'var(--assay-primary-hover)',
    '--mantine-color-ink-light': 'var(--assay-sunken)',
    '--mantine-color-ink-light-hover': 'var(--assay-line)',
    '--mantine-color-ink-light-color': 'var(--assay-ink)',
    '--mantine-color-ink-outline': 'var(--assay-ink)',
    '--mantine-color-ink-outline-hover': 'var(--assay-sunken)',
    '--mantine-color-ink-text': 'var(--assay-ink)',
    '--mantine-color-accent-filled': 'var(--assay-accent)',
    '--mantine-color-accent-light': 'var(--assay-accent-tint)',
    '--mantine-color-accent-light-hover': 'var(--assay-accent-tint)',
    '--mantine-color-accent-light-color': 'var(--assay-accent)',
    '--mantine-color-accent-outline': 'var(--assay-accent)',
    '--mantine-color-accent-text': 'var(--assay-accent)',
    '--mantine-color-danger-filled': invalid.text,
    '--mantine-color-danger-filled-hover': invalid.mark,
    '--mantine-color-danger-light': invalid.tint,
    '--mantine-color-danger-light-hover': invalid.tint,
    '--mantine-color-danger-light-color': invalid.text,
    '--mantine-color-danger-outline': invalid.text,
    '--mantine-color-danger-outline-hover': invalid.tint,
    '--mantine-color-danger-text': invalid.text,
    '--assay-on-danger': palette[scheme].paper,
  };
};

const schemeVariables = (scheme: ColorSchemeName): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(palette[scheme]).map(([name, color]) => [`--assay-${kebab(name)}`, color]),
  ),
  ...verdictVariables(scheme),
  ...libraryVariables(scheme),
});

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--assay-motion': '150ms',
    '--assay-ease': 'cubic-bezier(0.2, 0, 0.2, 1)',
  },
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
});
