import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildPackage } from '../../../../../../packages/client/scripts/build-package.ts';
import { hasProgram } from '../../../../../../scripts/lib/has-program.ts';
import type { Example } from './examples.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../../../..', import.meta.url));
const curlStandIn = fileURLToPath(new URL('./curl.mjs', import.meta.url));

export const hasCurl = hasProgram('curl');
export const hasPython = hasProgram('python3');

export interface Workplace {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * A folder like a customer's, with the published client package installed. Programs
 * find the files of earlier ones.
 */
export async function makeWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-examples-'));
  const modules = join(folder, 'node_modules');
  await buildPackage(join(modules, '@assay', 'client'));
  for (const dependency of ['standardwebhooks', 'zod']) {
    await symlink(join(root, 'node_modules', dependency), join(modules, dependency));
  }
  await mkdir(join(folder, 'bin'));
  await copyFile(curlStandIn, join(folder, 'bin', 'curl'));
  await chmod(join(folder, 'bin', 'curl'), 0o755);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface RunOptions {
  readonly workplace: Workplace;
  readonly env: Readonly<Record<string, string>>;
  /** Uses the stand-in for curl, even if there is a real one. */
  readonly isWithoutCurl?: boolean;
}

/** Starts an example as a customer would. */
export async function startExample(example: Example, options: RunOptions): Promise<ChildProcess> {
  const { folder } = options.workplace;
  const [command, ...args] = await commandOf(example, folder);
  const path = [
    ...(options.isWithoutCurl || !hasCurl ? [join(folder, 'bin')] : []),
    join(process.execPath, '..'),
    process.env.PATH ?? '',
  ].join(delimiter);
  return spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...options.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function commandOf({ language, code }: Example, folder: string): Promise<[string, ...string[]]> {
  if (language === 'sh') return ['sh', '-e', '-c', code];
  if (language === 'python') return ['python3', '-c', code];
  await writeFile(join(folder, 'example.ts'), code);
  return [process.execPath, join(folder, 'example.ts')];
}

/** The output of an example that succeeded. */
export async function runExample(example: Example, options: RunOptions): Promise<string> {
  const running = await startExample(example, options);
  let printed = '';
  let complained = '';
  running.stdout?.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  running.stderr?.setEncoding('utf8').on('data', (text) => {
    complained += text;
  });
  const code = await new Promise((resolve) => running.once('close', resolve));
  if (code !== 0) throw new Error(`The example exited with ${code}:\n${complained}\n${printed}`);
  return printed;
}

/** Compiles the programs as a customer's strict compiler would. */
export async function expectTypesToFit(
  { folder }: Workplace,
  examples: readonly Pick<Example, 'code'>[],
): Promise<void> {
  const files = await Promise.all(
    examples.map(async ({ code }, index) => {
      const path = join(folder, `typed-${index}.ts`);
      await writeFile(path, code);
      return path;
    }),
  );
  const options = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2024',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files,
  };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const tsc = await realpath(join(root, 'node_modules/.bin/tsc'));
  // Not spawnSync: the API in this process would refuse calls after such a long pause.
  await execute(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) => {
    throw new Error(`The examples do not fit the types:\n${stdout}`);
  });
}
