import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const command = 'apps/server/bin/assay.mjs';
const sources = ['apps/server/{bin,src}/**/*.ts', 'packages/*/src/**/*.ts'];

/**
 * Writes the `assay` command with everything that it imports to a folder. Each file that Node opens by its address (the command,
 * threads, the modules of reading threads) keeps its place of the repository, so that addresses between files stay true. See
 * docs/decisions/releases-are-bundled.md.
 */
export async function bundleServer(root: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      [command, ...findThreadFiles(root)].map((path) => [withoutExtension(path), path]),
    ),
    platform: 'node',
    // Optional parts of libraries that we do not install.
    external: ['pg-native', 'pino-pretty', 'encoding'],
    plugins: [keepAddresses(root)],
    // A library of the identity provider makes its deprecation notices with it.
    checks: { eval: false },
    logLevel: 'warn',
  });
  try {
    await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: ({ name }) => (name === withoutExtension(command) ? '[name].mjs' : '[name].js'),
      chunkFileNames: 'apps/server/chunks/[name]-[hash].js',
      banner: ({ fileName }) =>
        `const assayRoot = new URL('${'../'.repeat(fileName.split('/').length - 1)}', import.meta.url).href;`,
    });
  } finally {
    await bundle.close();
  }
}

const withoutExtension = (path: string): string => path.replace(/\.m?[jt]s$/, '');

/** Files that are opened by `new URL('./name.ts', import.meta.url)`, and those that hand their own address to a reading thread. */
function findThreadFiles(root: string): string[] {
  const paths = globSync(sources, { cwd: root }).filter((path) => !/\.test\.ts$|\/testing\//.test(path));
  return paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const opened = [...text.matchAll(/new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g)];
    return [
      ...opened.map(([, name = '']) => join(dirname(path), name)),
      ...(/defineReadJob\(\s*import\.meta\.url/.test(text) ? [path] : []),
    ];
  });
}

/** A bundled module must still find the files beside it: its address is the one that it has in the repository, in this installation. */
const keepAddresses = (root: string): Plugin => ({
  name: 'keep-addresses',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null;
    const path = `${withoutExtension(relative(root, id))}.js`;
    return (
      code
        // The bundle has what these would look for in node_modules.
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
        .replace(/(new URL\('\.\/[\w-]+)\.ts(', import\.meta\.url\))/g, '$1.js$2')
        .replaceAll('import.meta.url', `(assayRoot + '${path}')`)
    );
  },
});
