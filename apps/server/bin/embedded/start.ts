import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardOrphan } from '@assay/postgres';
import { isLoopback } from '../../src/platform/config/index.ts';
import { announce, announceProduction } from './announce.ts';
import { preparePrivateFolder } from './data-folder.ts';
import type { EmbeddedParts } from './foundation.ts';
import { onFreePorts } from './ports.ts';
import { createProcessGroup, type ProcessGroup } from './process-group.ts';
import { type ProductionOptions, refuseUnready, startProductionParts } from './production.ts';
import { claimDataFolder, publishRun, releaseDataFolder, withdrawRun } from './run-file.ts';
import { givenSettings, type LocalSettings, portOffsets, readLocalSettings } from './settings.ts';
import { startStandIns } from './stand-ins.ts';
import { listenForStop, type StopRequest } from './stop-request.ts';
import { watchSources } from './watch-sources.ts';

const webFolder = fileURLToPath(new URL('../../../web', import.meta.url));

/**
 * `assay start`: runs the whole product on one machine until a stop is requested. Returns the exit code.
 * See docs/decisions/supervisor.md.
 */
export async function start(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const stop = listenForStop();
  try {
    await runUntilStopped(env, {
      isDev: argv.includes('--dev'),
      production: argv.includes('--production')
        ? { sellsNothing: argv.includes('--without-payments') }
        : null,
      stop,
    });
  } catch (error) {
    if (!stop.signal.aborted) throw explained(error);
  } finally {
    stop.release();
  }
  if (!stop.failure) return 0;
  console.error(stop.failure.message);
  return 1;
}

interface StartOptions {
  readonly isDev: boolean;
  /** Null for a trial. */
  readonly production: ProductionOptions | null;
  readonly stop: StopRequest;
}

async function runUntilStopped(
  env: NodeJS.ProcessEnv,
  { isDev, production, stop }: StartOptions,
): Promise<void> {
  const startedAt = performance.now();
  const wanted = readLocalSettings(env);
  if (production) refuseUnready(env, production);
  else refusePublicTrial(wanted, env);
  await preparePrivateFolder(wanted.dataFolder);
  await claimDataFolder(wanted.dataFolder);
  try {
    const isProduction = production !== null;
    const ports = { env, isDev, isProduction, say: (line: string) => console.log(line) };
    const settings = await onFreePorts(wanted, ports);
    const startParts = isProduction ? startProductionParts : startStandIns;
    const parts = await startParts(settings, env, stop);
    await runProduct({ settings, env, isDev, isProduction, stop, parts, startedAt });
  } finally {
    await releaseDataFolder(wanted.dataFolder);
  }
}

/** A trial has a published demo account, and its identity provider is for browsers on this machine. */
function refusePublicTrial({ publicUrl }: LocalSettings, env: NodeJS.ProcessEnv): void {
  if (env.OIDC_ISSUER || isLoopback(URL.parse(publicUrl)?.hostname ?? '')) return;
  throw new Error(
    'PUBLIC_URL is an address for others, but `npm start` is a trial with a demo account whose password everybody knows. Run `npm start -- --production`, or leave PUBLIC_URL out.',
  );
}

/** Ports are free before anything starts, but another program may take one in the meantime. */
function explained(error: unknown): unknown {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return error;
  return new Error(`Port ${port} was taken by another program while Assay started. Start Assay again.`);
}

interface ProductRun {
  readonly settings: LocalSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly isDev: boolean;
  readonly stop: StopRequest;
  readonly parts: EmbeddedParts;
  readonly isProduction: boolean;
  readonly startedAt: number;
}

/** Runs the product's processes beside the embedded parts until a stop is requested, then stops all of them. */
async function runProduct(run: ProductRun): Promise<void> {
  const { settings, env, isDev, isProduction, stop, parts, startedAt } = run;
  const environment = { ...parts.environment, ...placesOf(run) };
  let isReady = false;
  const processes = createProcessGroup({
    environment: { ...env, ...environment },
    say: (line) => console.error(line),
    onStopAsked: () => stop.ask(),
    // In development the next change may fix it. Once the product is ready, the other parts are worth more than an end:
    // a job that kills each worker must not end the API.
    onHopeless: (command) => {
      if (isReady) console.error(`assay ${command} fails again and again. It is tried every 15 seconds.`);
      else if (!isDev) stop.ask(new Error(hopelessText(command)));
    },
  });
  processes.keepRunning('api');
  processes.keepRunning('worker');
  if (parts.identityPort) processes.keepRunning('identity');
  const development = isDev ? startDevelopment(settings, env, { processes, stop }) : null;

  try {
    const ports = [settings.port, parts.identityPort ?? []].flat();
    const ready = Promise.all(ports.map((port) => untilReady(port, stop.signal)));
    await Promise.race([ready, stop.asked]);
    if (!stop.signal.aborted) {
      isReady = true;
      await publishRun(settings.dataFolder, {
        url: settings.publicUrl,
        environment: { ...givenSettings(env), ...environment },
      });
      const seconds = (performance.now() - startedAt) / 1000;
      if (isProduction) announceProduction({ settings, seconds });
      else announce({ settings, parts, seconds });
      await stop.asked;
      console.log('\nStopping …');
    }
    await withdrawRun(settings.dataFolder);
  } finally {
    // Also when the run file cannot be written, for example on a full disk.
    development?.stop();
    await processes.stop();
    await parts.close();
  }
}

const hopelessText = (command: string): string =>
  `Assay cannot start: assay ${command} fails again and again. See the reason above.`;

function placesOf({ settings, env, isDev, isProduction }: ProductRun): Record<string, string> {
  return {
    PORT: String(isDev ? settings.port + portOffsets.developmentApi : settings.port),
    HOST: settings.host,
    PUBLIC_URL: settings.publicUrl,
    ASSAY_DATA: settings.dataFolder,
    // A line for every request would push the start message of a trial off the screen.
    LOG_LEVEL: env.LOG_LEVEL || (isProduction ? 'info' : 'warn'),
    // Vite serves the web app in development.
    ...(isDev && { ASSAY_WEB_APP: 'none' }),
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
  vite.on('error', (error) => stop.ask(error));
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

/** Polls until the process at this port is ready or a stop was requested. */
async function untilReady(port: number, signal: AbortSignal): Promise<void> {
  const address = `http://localhost:${port}/health/ready`;
  while (!signal.aborted) {
    const answer = await fetch(address, { signal }).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
