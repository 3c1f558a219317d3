import { createServer } from 'node:net';
import { defaultOf } from '../../src/platform/config/index.ts';
import { identityIsGiven } from './given-parts.ts';
import { mailboxesAreWanted } from './mailboxes.ts';
import { type LocalSettings, portOffsets, withPort } from './settings.ts';

interface WantedPort {
  readonly port: number;
  readonly host: string;
  readonly use: string;
  /** The setting that named it, for one that does not follow PORT. */
  readonly setting?: string;
}

export interface PortOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly isDev: boolean;
  /** Without stand-ins for payments and mailboxes. */
  readonly isProduction?: boolean;
  readonly say: (line: string) => void;
}

/** How many ports the product spans, from its own to the worker's metrics. */
const span = portOffsets.workerMetrics + 1;
const rangeStep = 20;
const rangesTriedMax = 100;
const loopbackHosts = ['127.0.0.1', 'localhost'];

/**
 * Returns settings whose ports are all free. When some are taken, all ports move to the next free range. With PORT, PUBLIC_URL
 * or OIDC_ISSUER others rely on the address, so this throws and names a free range instead.
 */
export async function onFreePorts(settings: LocalSettings, options: PortOptions): Promise<LocalSettings> {
  const taken = await takenOf(portsOf(settings, options));
  if (taken.length === 0) return settings;

  const list = taken.map(({ port, use }) => `${port} (${use})`).join(' and ');
  const problem = `${taken.length === 1 ? `Port ${list} is` : `Ports ${list} are`} taken by another program.`;
  const settingsToChange = new Set(taken.flatMap(({ setting }) => setting ?? []));
  if (settingsToChange.size > 0) {
    throw new Error(`${problem} Stop it, or give another port as ${[...settingsToChange].join(' and ')}.`);
  }

  const free = await findFreeRange(settings, options);
  const range = `${free.port} to ${free.port + span - 1}`;
  const { env, isDev, say } = options;
  if (env.PORT || env.PUBLIC_URL || env.OIDC_ISSUER) {
    const command = `PORT=${free.port} npm ${isDev ? 'run dev' : 'start'}`;
    throw new Error(`${problem} Stop it, or start Assay on ports ${range}, which are free: ${command}`);
  }
  say(`${problem} Assay uses ports ${range} instead; set PORT to choose others.`);
  return free;
}

function portsOf(
  settings: LocalSettings,
  { env, isDev, isProduction = false }: Omit<PortOptions, 'say'>,
): WantedPort[] {
  const { host, port } = settings;
  const above = (name: keyof typeof portOffsets, use: string) => ({
    host,
    port: port + portOffsets[name],
    use,
  });
  const named = (setting: string, use: string) => {
    const value = Number(env[setting]);
    return value ? { host: metricsHost, port: value, use, setting } : null;
  };
  const metricsHost = env.METRICS_HOST || defaultOf('metricsHost');
  const metrics = named('METRICS_PORT', 'metrics');
  const workerMetrics = named('WORKER_METRICS_PORT', 'metrics of the worker');
  return [
    { host, port, use: 'the product' },
    ...(identityIsGiven(env) ? [] : [above('identity', 'sign-in')]),
    ...(env.STRIPE_SECRET_KEY || isProduction ? [] : [above('payments', 'payments')]),
    ...(mailboxesAreWanted(env) && !isProduction ? [above('mailboxes', 'mailbox consent')] : []),
    ...(isDev ? [above('developmentApi', 'the API in development')] : []),
    metrics ?? { ...above('metrics', 'metrics'), host: metricsHost },
    workerMetrics ??
      (metrics
        ? { ...metrics, port: metrics.port + 1, use: 'metrics of the worker' }
        : { ...above('workerMetrics', 'metrics of the worker'), host: metricsHost }),
  ];
}

async function findFreeRange(settings: LocalSettings, options: PortOptions): Promise<LocalSettings> {
  let { port } = settings;
  for (let tried = 0; tried < rangesTriedMax; tried++) {
    port = port + rangeStep <= 65_000 ? port + rangeStep : Number(defaultOf('port'));
    const candidate = withPort(settings, port);
    if ((await takenOf(portsOf(candidate, options))).length === 0) return candidate;
  }
  throw new Error(`No ${span} free ports in a row were found. Choose them yourself: PORT=… npm start`);
}

async function takenOf(wanted: readonly WantedPort[]): Promise<WantedPort[]> {
  const areFree = await Promise.all(wanted.map(isFree));
  return wanted.filter((_, index) => !areFree[index]);
}

/** Browsers may resolve `localhost` to ::1, so on loopback that address must be free as well. */
async function isFree({ port, host }: WantedPort): Promise<boolean> {
  if (!(await canListen(port, host))) return false;
  return !loopbackHosts.includes(host) || canListen(port, '::1');
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else if (host === '::1') resolve(true);
      else if (error.code === 'EACCES') {
        reject(
          new Error(
            `Port ${port} needs a privileged user here. Choose one above 1023, for example PORT=3100.`,
          ),
        );
      } else reject(error);
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
