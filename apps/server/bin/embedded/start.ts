import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.ts';
import { mailboxesAreWanted } from './mailboxes.ts';
import { requireFreePorts } from './ports.ts';
import { createProcessGroup } from './process-group.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { type LocalSettings, portOffsets, readLocalSettings } from './settings.ts';
import { startStandIns } from './stand-ins.ts';

const webFolder = fileURLToPath(new URL('../../../web', import.meta.url));

/** In development Vite stands at the product's address and passes on what is not a source file. */
const developmentApiOffset = 5;

/** The API's, and right above it the worker's. */
const metricsPorts = [portOffsets.metrics, portOffsets.metrics + 1];

/** `assay start`: the whole product on one machine, until a signal ends it. Answers the exit code. */
export async function start(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const isDev = argv.includes('--dev');
  const startedAt = performance.now();
  const settings = readLocalSettings(env);
  await refuseSecondStart(settings);
  await requireFreePorts(portsOf(settings, env, isDev));

  const stopped = untilStopSignal();
  const standIns = await startStandIns(settings, env);
  const environment = { ...standIns.environment, ...placesOf(settings, env, isDev) };
  const processes = createProcessGroup({ ...env, ...environment }, (line) => console.error(line));
  const nodeArguments = isDev ? ['--watch', '--watch-preserve-output'] : [];
  processes.keepRunning('api', { nodeArguments });
  processes.keepRunning('worker', { nodeArguments });
  const vite = isDev ? startVite(settings, env) : null;

  const waiting = new AbortController();
  const outcome = await Promise.race([
    untilReady(settings, waiting.signal).then(() => 'ready' as const),
    stopped.then(() => 'stopped' as const),
    processes.hopeless.then((command) => ({ hopeless: command })),
  ]);
  waiting.abort();
  if (outcome === 'ready') {
    await writeRunFile(settings.dataFolder, { pid: process.pid, url: settings.publicUrl, environment });
    announce({ settings, standIns, seconds: (performance.now() - startedAt) / 1000 });
    await stopped;
    console.log('\nStopping …');
  }

  await removeRunFile(settings.dataFolder);
  vite?.kill('SIGTERM');
  await processes.stop();
  await standIns.close();
  if (typeof outcome === 'string') return 0;
  console.error(
    `Assay does not start: assay ${outcome.hopeless} ends again and again, for the reason above.`,
  );
  return 1;
}

async function refuseSecondStart({ dataFolder }: LocalSettings): Promise<void> {
  const run = await readRunFile(dataFolder);
  if (!run) return;
  throw new Error(
    `Assay already runs on this data folder (process ${run.pid}, ${run.url}). ` +
      'Stop it first, or start another with its own data and port: ASSAY_DATA=.assay-two PORT=3100 npm start',
  );
}

function portsOf(settings: LocalSettings, env: NodeJS.ProcessEnv, isDev: boolean) {
  const { host, port } = settings;
  return [
    { host, port, use: 'the product' },
    ...(env.METRICS_PORT
      ? []
      : metricsPorts.map((offset) => ({ host, port: port + offset, use: 'metrics' }))),
    ...(env.OIDC_ISSUER ? [] : [{ host, port: port + portOffsets.identity, use: 'sign-in' }]),
    ...(env.STRIPE_SECRET_KEY ? [] : [{ host, port: port + portOffsets.payments, use: 'payments' }]),
    ...(mailboxesAreWanted(env)
      ? [{ host, port: port + portOffsets.mailboxes, use: 'mailbox consent' }]
      : []),
    ...(isDev ? [{ host, port: port + developmentApiOffset, use: 'the API in development' }] : []),
  ];
}

function placesOf(settings: LocalSettings, env: NodeJS.ProcessEnv, isDev: boolean): Record<string, string> {
  return {
    PORT: String(isDev ? settings.port + developmentApiOffset : settings.port),
    HOST: settings.host,
    PUBLIC_URL: settings.publicUrl,
    ASSAY_DATA: settings.dataFolder,
    // What was printed at the start should not be pushed off the screen by a line for every request.
    LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
    METRICS_PORT: env.METRICS_PORT ?? String(settings.port + portOffsets.metrics),
  };
}

function startVite(settings: LocalSettings, env: NodeJS.ProcessEnv): ChildProcess {
  const vite = join(dirname(webFolder), '..', 'node_modules', 'vite', 'bin', 'vite.js');
  return spawn(
    process.execPath,
    [vite, '--port', String(settings.port), '--strictPort', '--host', settings.host],
    {
      cwd: webFolder,
      env: { ...env, ASSAY_API_ORIGIN: `http://localhost:${settings.port + developmentApiOffset}` },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    },
  );
}

/** Signals that come again while everything stops change nothing: stopping has its own last resort. */
async function untilStopSignal(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, () => undefined);
  await Promise.race(signals.map((signal) => once(process, signal)));
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
