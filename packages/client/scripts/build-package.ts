import { execFileSync } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const client = fileURLToPath(new URL('..', import.meta.url));
const root = join(client, '../..');

/**
 * Writes the package for npm: JavaScript and types instead of our sources, the contract inside it, README and
 * licence. `npm publish` takes the folder.
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const tsc = await realpath(join(root, 'node_modules/.bin/tsc'));
  execFileSync(process.execPath, [tsc, '-p', join(client, 'tsconfig.package.json'), '--outDir', folder]);
  await pointAtBuiltFiles(folder);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await copyFile(join(client, 'README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** In the published package the contract is a folder, and there are no sources for types to point at. */
async function pointAtBuiltFiles(folder: string): Promise<void> {
  const contract = join(folder, 'contract/src/index.js');
  for await (const name of glob('**/*.{js,d.ts}', { cwd: folder })) {
    const path = join(folder, name);
    const toContract = relative(dirname(path), contract);
    const text = (await readFile(path, 'utf8'))
      .replaceAll(/(['"])@assay\/contract\1/g, `'${toContract}'`)
      .replaceAll(/(from ['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
    await writeFile(path, text);
  }
}

async function manifest(): Promise<object> {
  const own = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'));
  const contract = JSON.parse(await readFile(join(root, 'packages/contract/package.json'), 'utf8'));
  const { name, version, description, license, type, sideEffects, dependencies } = own;
  const entry = (file: string) => ({
    types: `./client/src/${file}.d.ts`,
    default: `./client/src/${file}.js`,
  });
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines: { node: '>=20' },
    exports: { '.': entry('index'), './webhooks': entry('webhooks') },
    dependencies: { standardwebhooks: dependencies.standardwebhooks, zod: contract.dependencies.zod },
  };
}

/** Writes the package as an archive that `npm install` takes, and answers its name, which has the version in it. */
export async function packClient(folder: string): Promise<string> {
  const built = await mkdtemp(join(tmpdir(), 'assay-client-'));
  try {
    await buildPackage(built);
    await mkdir(folder, { recursive: true });
    const printed = execFileSync('npm', ['pack', built, '--pack-destination', folder, '--json', '--silent'], {
      encoding: 'utf8',
    });
    return JSON.parse(printed)[0].filename;
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [option, folder] = process.argv.slice(2);
  if (option === '--pack') await packClient(resolve(folder ?? '.'));
  else await buildPackage(resolve(option ?? join(client, 'dist')));
}
