import { convertCssVariables, DEFAULT_THEME, deepMerge, defaultCssVariablesResolver } from '@mantine/core';
import { expect, it } from 'vitest';
import { cssVariablesResolver } from './css-variables.ts';
import { theme } from './theme.ts';

// The library would write these variables into a style element at run time; the content-security policy refuses those,
// and a file is there before the first script has run. So the variables are a file, and this test keeps it equal to the
// theme: after a change, `npx vitest run apps/web/src/shared/theme -u` writes it again.
it('theme.generated.css holds the variables of the theme, and none of the colours that the library brings', async () => {
  const merged = deepMerge(DEFAULT_THEME, theme);
  const ownColors = Object.fromEntries(
    Object.entries(merged.colors).filter(([name]) => theme.colors !== undefined && name in theme.colors),
  ) as typeof merged.colors;
  const own = { ...merged, colors: ownColors };
  const variables = deepMerge(defaultCssVariablesResolver(own), cssVariablesResolver(own));

  const css = convertCssVariables(variables, ':root')
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(/([{;])(?!\n)/g, '$1\n')
    .replaceAll(/\}\n?/g, '}\n')
    .replaceAll(/^(?=--)/gm, '  ');
  await expect(css).toMatchFileSnapshot('./theme.generated.css');
});
