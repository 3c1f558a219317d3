import { expect, it } from 'vitest';

const ownSources = import.meta.glob<string>('../../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const modules = import.meta.glob<string>('../../../../../node_modules/@mantine/*/esm/**/*.mjs', {
  query: '?raw',
  import: 'default',
});
const stylesheets = import.meta.glob('../../../../../node_modules/@mantine/core/styles/*.layer.css', {
  query: '?url',
});

const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/(\.layer)?\.\w+$/, '');
const styledNames = new Set(Object.keys(stylesheets).map(nameOf));
const modulePaths = Object.keys(modules).toSorted();

/** What a source imports of the library's core; a type among it does no harm, since it has no style. */
const importedFromCore = (source: string): string[] =>
  [...source.matchAll(/import \{([^}]*)\} from ['"]@mantine\/core['"]/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*type /, '').trim()),
  );

/** The module and its imports, imports first: the order of the styles. */
async function withImports(path: string, seen: Set<string>): Promise<string[]> {
  const load = modules[path];
  if (load === undefined || seen.has(path)) return [];
  seen.add(path);
  const found: string[] = [];
  for (const [, relative = ''] of (await load()).matchAll(/from "(\.[^"]+)"/g)) {
    found.push(...(await withImports(resolveAgainst(path, relative), seen)));
  }
  return [...found, path];
}

// Paths of the glob begin with '../', which a URL would swallow: they are resolved below an imagined deep folder.
function resolveAgainst(path: string, relative: string): string {
  const deep = 'https://own.invalid/1/2/3/4/5/';
  return new URL(relative, new URL(path, deep)).pathname.replace('/', '../../../../../');
}

// Only the styles of components that are used are shipped. The list is worked out from our imports and the library's own,
// so that nobody keeps it by hand: after a change, `npx vitest run apps/web/src/shared/theme -u` writes it again.
it('library.generated.css imports the styles of the components that are used, and of no other', async () => {
  const own = Object.values(ownSources);
  const companions = new Set(
    own.flatMap((source) =>
      [...source.matchAll(/from '(@mantine\/(?!core|hooks)\w+)'/g)].map(([, name]) => name),
    ),
  );
  const companionSources = modulePaths
    .filter((path) => [...companions].some((name) => path.includes(`/${name}/esm/`)))
    .map((path) => modules[path]?.() ?? '');
  const used = new Set([...own, ...(await Promise.all(companionSources))].flatMap(importedFromCore));

  const seen = new Set<string>();
  const styled: string[] = [];
  for (const path of modulePaths) {
    if (path.includes('/core/esm/components/') && used.has(nameOf(path))) {
      styled.push(...(await withImports(path, seen)).map(nameOf).filter((name) => styledNames.has(name)));
    }
  }

  expect(styled).toContain('Notification');
  const lines = [...new Set(['baseline', 'global', ...styled])].map(
    (name) => `@import '@mantine/core/styles/${name}.layer.css';`,
  );
  lines.push("@import '@mantine/notifications/styles.layer.css';");
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./library.generated.css');
});
