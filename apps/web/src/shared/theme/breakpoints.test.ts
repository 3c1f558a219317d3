import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breakpointsPx } from './breakpoints.ts';
import { theme } from './theme.ts';

const sources = fileURLToPath(new URL('../..', import.meta.url));
const stylesheets = globSync('**/*.css', { cwd: sources }).filter((file) => !file.includes('generated'));
const asked = (feature: 'width' | 'height'): number[] =>
  stylesheets.flatMap((file) =>
    [...readFileSync(`${sources}/${file}`, 'utf8').matchAll(/@media[^{]*\((width|height) [<>]=? (\d+)px\)/g)]
      .filter(([, name]) => name === feature)
      .map(([, , px]) => Number(px)),
  );

describe('§9 Breakpoints', () => {
  it('§9 xs 0, sm 440, md 1080, lg 1224, xl 1440, in the theme too', () => {
    expect(breakpointsPx).toEqual({ xs: 0, sm: 440, md: 1080, lg: 1224, xl: 1440 });
    expect(theme.breakpoints).toEqual({ xs: '0em', sm: '27.5em', md: '67.5em', lg: '76.5em', xl: '90em' });
  });

  it('§9 the stylesheets ask for these widths and no others', () => {
    const widths = asked('width');

    expect(widths.length).toBeGreaterThan(0);
    expect(widths.filter((px) => !Object.values<number>(breakpointsPx).includes(px))).toEqual([]);
  });

  it('§9 short-height mode applies below 800 px, and is the only height that is asked for', () => {
    expect([...new Set(asked('height'))]).toEqual([800]);
  });
});
