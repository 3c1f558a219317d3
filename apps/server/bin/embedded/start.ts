import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardOrphan } from '@assay/postgres';
import { announce } from './announce.ts';
import { preparePrivateFolder } from './data-folder.ts';
import { onFreePorts } from './ports.ts';
import { createProcessGroup, type ProcessGroup } from './process-group.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { type LocalSettings, portOffsets, readLocalSettings } from './settings.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';
import { listenForStop, type StopRequest } from './stop-request.ts';
import { watchSources } from './watch-sources.ts';

const webFolder = fileURLToPath(new URL('../../../web', import.meta.url));

/**
 * `assay start`: the whole product on one machine, until it is asked to stop. Answers the exit code.
 * See docs/decisions/supervisor.md.
 */
export async function start(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const stop = listenForStop();
  try {
    await runUntilStopped(env, { isDev: argv.includes('--dev'), stop });
  } catch (error) {
    if (!stop.signal.aborted) throw explained(error);
  } finally {
    stop.release();
  }
  if (!stop.failure) return 0;
  console.error(stop.failure.message);
  return 1;
}

async function runUntilStopped(
  env: NodeJS.ProcessEnv,
  { isDev, stop }: { isDev: boolean; stop: StopRequest },
): Promise<void> {
  const startedAt = performance.now();
  const wanted = readLocalSettings(env);
  await refuseSecondStart(wanted);
  const settings = await onFreePorts(wanted, { env, isDev, say: (line) => console.log(line) });
  await preparePrivateFolder(settings.dataFolder);
  const standIns = await startStandIns(settings, env, stop);
  await runProduct({ settings, env, isDev, stop, standIns, startedAt });
}

/** Ports are free before anything starts, but another program may take one in the meantime. */
function explained(error: unknown): unknown {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return error;
  return new Error(`Port ${port} was taken by another program while Assay started. Start Assay again.`);
}

interface Run {
  readonly settings: LocalSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly isDev: boolean;
  readonly stop: StopRequest;
  readonly standIns: StandIns;
  readonly startedAt: number;
}

/** Runs the product's processes beside the stand-ins until a stop is asked for, then stops all of them. */
async function runProduct({ settings, env, isDev, stop, standIns, startedAt }: Run): Promise<void> {
  const environment = { ...standIns.environment, ...placesOf(settings, env, isDev) };
  const processes = createProcessGroup({
    environment: { ...env, ...environment },
    say: (line) => console.error(line),
    onStopAsked: () => stop.ask(),
    // In development the next change may mend it.
    onHopeless: (command) => isDev || stop.ask(new Error(hopelessText(command))),
  });
  processes.keepRunning('api');
  processes.keepRunning('worker');
  const development = isDev ? startDevelopment(settings, env, { processes, stop }) : null;

  await Promise.race([untilReady(settings, stop.signal), stop.asked]);
  if (!stop.signal.aborted) {
    await writeRunFile(settings.dataFolder, { pid: process.pid, url: settings.publicUrl, environment });
    announce({ settings, standIns, seconds: (performance.now() - startedAt) / 1000 });
    await stop.asked;
    console.log('\nStopping …');
  }

  await removeRunFile(settings.dataFolder);
  development?.stop();
  await processes.stop();
  await standIns.close();
}

const hopelessText = (command: string): string =>
  `Assay does not start: assay ${command} ends again and again, for the reason above.`;

async function refuseSecondStart({ dataFolder }: LocalSettings): Promise<void> {
  const run = await readRunFile(dataFolder);
  if (!run) return;
  throw new Error(
    `Assay already runs on this data folder (process ${run.pid}, ${run.url}). ` +
      'Stop it first, or start another with its own data: ASSAY_DATA=.assay-two npm start',
  );
}

function placesOf(settings: LocalSettings, env: NodeJS.ProcessEnv, isDev: boolean): Record<string, string> {
  return {
    PORT: String(isDev ? settings.port + portOffsets.developmentApi : settings.port),
    HOST: settings.host,
    PUBLIC_URL: settings.publicUrl,
    ASSAY_DATA: settings.dataFolder,
    // What was printed at the start should not be pushed off the screen by a line for every request.
    LOG_LEVEL: env.LOG_LEVEL || 'warn',
    METRICS_PORT: env.METRICS_PORT || String(settings.port + portOffsets.metrics),
  };
}

/** Vite for the web app, and a restart of the product's processes after every change of their sources. */
function startDevelopment(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  { processes, stop }: { processes: ProcessGroup; stop: StopRequest },
): { stop(): void } {
  const stopWatching = watchSources(() => processes.restart());
  const vite = startVite(settings, env);
  vite.once('exit', () => stop.ask());
  const guard = guardOrphan(vite, { signal: 'TERM', name: `vite for ${settings.dataFolder}` });
  void guard.ended.then(() => stop.ask());
  return {
    stop: () => {
      stopWatching();
      vite.kill('SIGTERM');
    },
  };
}

function startVite(settings: LocalSettings, env: NodeJS.ProcessEnv): ChildProcess {
  const vite = join(dirname(webFolder), '..', 'node_modules', 'vite', 'bin', 'vite.js');
  return spawn(
    process.execPath,
    [vite, '--port', String(settings.port), '--strictPort', '--host', settings.host],
    {
      cwd: webFolder,
      env: { ...env, ASSAY_API_ORIGIN: `http://localhost:${settings.port + portOffsets.developmentApi}` },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    },
  );
}

/** Asks until somebody else has decided: a product that never gets ready must end all the same. */
async function untilReady(settings: LocalSettings, signal: AbortSignal): Promise<void> {
  const address = `http://localhost:${settings.port}/health/ready`;
  while (!signal.aborted) {
    const answer = await fetch(address, { signal }).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
