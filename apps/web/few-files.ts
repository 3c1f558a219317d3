import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { type BuiltFile, loadedWith } from './built-files.ts';

/** A module that this many pages load is in the file for all pages, although some of them do not need it. */
const sharedByPagesMin = 3;

/**
 * Builds few files for each page. By default the bundler makes a file for every set of parts that share a module: sixty for a page,
 * most below a kilobyte, and browsers fetch only six at a time.
 *
 * Only a build shows which modules a page still loads after unused code is gone. So the app is built twice, first in memory with
 * `plugins` only.
 */
export function fewFiles(plugins: () => PluginOption[]): Plugin {
  return {
    name: 'assay:few-files',
    apply: 'build',
    config: async ({ root }, { mode }) => {
      const built = await build({
        ...(root !== undefined && { root }),
        mode,
        configFile: false,
        logLevel: 'error',
        plugins: plugins(),
        build: {
          write: false,
          minify: false,
          // Otherwise a file may hold modules that some of its users do not need.
          rolldownOptions: { experimental: { chunkOptimization: false } },
        },
      });
      const names = groupNames((built as Rolldown.RolldownOutput).output);
      const ownCode = {
        debugName: 'the code of the app',
        name: (id: string) => names.get(id) ?? null,
        // The groups contain them already; recursion would also add modules that a page does not use.
        includeDependenciesRecursively: false,
      };
      return { build: { rolldownOptions: { output: { codeSplitting: { groups: [libraries, ownCode] } } } } };
    },
  };
}

/** What changes only with an upgrade keeps its name, and stays in browsers' caches, when our own code changes. */
const libraries = {
  name: 'react',
  test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
};

/**
 * The name of the file for each module that the first load or a page needs. Dialogs and other late parts share modules with pages. If
 * only one page needs such a module, it is in a file of its own, so that a dialog does not load a page.
 */
export function groupNames(files: readonly BuiltFile[]): Map<string, string> {
  const names = new Map(
    modulesOf(
      loadedWith(
        files.filter(({ isEntry }) => isEntry),
        files,
      ),
    ).map((id) => [id, 'first']),
  );
  const lateParts = files.filter(
    (file) => file.isDynamicEntry && pageOf(file) === undefined && !isConsole(file),
  );
  const ofLateParts = new Set(modulesOf(loadedWith(lateParts, files)));

  const pagesOf = new Map<string, string[]>();
  for (const file of files) {
    const page = pageOf(file);
    if (page === undefined || isConsole(file)) continue;
    for (const id of modulesOf(loadedWith([file], files)))
      if (!names.has(id)) pagesOf.set(id, [...(pagesOf.get(id) ?? []), page]);
  }
  if (pagesOf.size === 0) throw new Error('No page was found in the build.');

  for (const [id, pages] of pagesOf) {
    const ofFew = pages.toSorted().join('-and-');
    if (pages.length >= sharedByPagesMin) names.set(id, 'pages');
    else names.set(id, pages.length === 1 && ofLateParts.has(id) ? `${ofFew}-and-dialogs` : ofFew);
  }
  return names;
}

const pageOf = ({ facadeModuleId }: BuiltFile): string | undefined =>
  /([\w-]+)-page\.tsx$/.exec(facadeModuleId ?? '')?.[1];

/** Few people use the operator console, so it may need many files. */
const isConsole = ({ facadeModuleId }: BuiltFile): boolean =>
  facadeModuleId?.includes('/features/operator/') ?? false;

const modulesOf = (files: Iterable<BuiltFile>): string[] =>
  [...files].flatMap(({ moduleIds = [] }) => moduleIds);
