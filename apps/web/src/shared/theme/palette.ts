/**
 * Every colour of the product, once. Screens never name a colour: they use the CSS variables that `theme.ts`
 * makes of this table, so that light and dark change together.
 *
 * A verdict has three tones: `mark` fills shapes (the punch of a mark, a slice of the donut, a line of the chart),
 * `text` is for words, and `tint` lies behind them. The lightness of the marks differs on purpose: people who do not
 * see red and green apart tell teal from slate, and crimson from ochre, by how dark they are. `palette.test.ts` measures it.
 */
export const palette = {
  light: {
    paper: '#fbf8f2',
    surface: '#fffefb',
    sunken: '#f4efe6',
    line: '#e3dacb',
    lineStrong: '#8f8779',
    ink: '#1a1e2b',
    inkMuted: '#585b69',
    primary: '#1f2536',
    primaryHover: '#323a52',
    onPrimary: '#fdfaf4',
    accent: '#98481a',
    accentTint: '#f6e7da',
    bead: '#e69a66',
    shadow: 'rgb(45 36 20 / 10%)',
    overlay: 'rgb(26 30 43 / 45%)',
    /** Paper with the overlay on it, for what the overlay does not reach. */
    paperUnderOverlay: '#969698',
  },
  dark: {
    paper: '#12151e',
    surface: '#1a1e2a',
    sunken: '#0d1017',
    line: '#2d3343',
    lineStrong: '#767d90',
    ink: '#ece7dd',
    inkMuted: '#a9abb6',
    primary: '#ece7dd',
    primaryHover: '#fffdf8',
    onPrimary: '#171b27',
    accent: '#e69a66',
    accentTint: '#35261d',
    bead: '#98481a',
    shadow: 'rgb(0 0 0 / 45%)',
    overlay: 'rgb(5 7 12 / 65%)',
    paperUnderOverlay: '#0a0c12',
  },
} as const;

export const verdictPalette = {
  light: {
    valid: { mark: '#1b7d70', text: '#11695d', tint: '#dcefe9' },
    invalid: { mark: '#970a2e', text: '#970a2e', tint: '#f9e1e3' },
    catchAll: { mark: '#aa7f0e', text: '#775500', tint: '#f7ebcc' },
    unknown: { mark: '#3e4c60', text: '#3e4c60', tint: '#e7eaee' },
    pending: { mark: '#2f82ea', text: '#1d57b3', tint: '#e0eafa' },
  },
  dark: {
    valid: { mark: '#5be3d2', text: '#5be3d2', tint: '#0f3231' },
    invalid: { mark: '#c93c58', text: '#f58da0', tint: '#3a1723' },
    catchAll: { mark: '#f2b12b', text: '#f4bd4c', tint: '#372a0e' },
    unknown: { mark: '#94a2b4', text: '#b1bcca', tint: '#262c37' },
    pending: { mark: '#3576d6', text: '#8ab4fa', tint: '#17274a' },
  },
} as const;

export type ColorSchemeName = keyof typeof palette;
export type VerdictTone = keyof (typeof verdictPalette)['light'];
