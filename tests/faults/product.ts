import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type MailWorld, startMailWorld } from '@assay/mail-world';
import { type Postgres, startPostgres } from '@assay/postgres';
import pg from 'pg';
import type { TestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { describeSurroundings } from '../support/environment.ts';
import { type Pooler, startPooler } from '../support/pooler.ts';
import {
  type AssayCommand,
  type Ending,
  type ProductProcess,
  runAssay,
  startProcess,
} from '../support/product-process.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { Deadline } from '../support/until.ts';
import type { Disk } from './disk.ts';
import { zone } from './list-file.ts';

/** Reply delay of hosts: a list runs for a few seconds. */
const replyDelayMs = 10;

/** Without fsync: the faults kill processes, not the machine. Little log, because a disk that can be full is small. */
const postgresSettings = { fsync: 'off', max_wal_size: '128MB' };

const harnessName = 'assay faults';

const clockProgram = new URL('./jump-clock.ts', import.meta.url);

/** One PostgreSQL server for all rounds, which can be stopped and started while the product runs. */
export class DatabaseServer {
  readonly #dataDir: string;
  /** The network between the product and the server. */
  readonly network: Relay;
  readonly #pooler: Pooler | undefined;
  /** Null where its disk cannot be filled. */
  readonly disk: Disk | null;
  #server: Postgres;
  #template: Promise<string> | undefined;

  private constructor(
    dataDir: string,
    server: Postgres,
    network: Relay,
    { pooler, disk }: { pooler: Pooler | undefined; disk: Disk | null },
  ) {
    this.#dataDir = dataDir;
    this.#server = server;
    this.network = network;
    this.#pooler = pooler;
    this.disk = disk;
  }

  static async start(
    dataDir: string,
    { hasPooler, disk }: { hasPooler: boolean; disk: Disk | null },
  ): Promise<DatabaseServer> {
    const server = await startPostgres({ dataDir, settings: postgresSettings });
    const network = await startRelay(server.port);
    const pooler = hasPooler ? await startPooler(atPort(server.url, network.port)) : undefined;
    return new DatabaseServer(dataDir, server, network, { pooler, disk });
  }

  /** A new migrated database: the addresses that the product gets, and one for the harness past the network. */
  async createDatabase(
    name: string,
    { isPastNetwork }: { isPastNetwork: boolean },
  ): Promise<{ product: ProductUrls; harnessUrl: string }> {
    this.#template ??= this.#migrateTemplate();
    const harnessUrl = await this.#server.createDatabase(name, { template: await this.#template });
    const directUrl = isPastNetwork ? harnessUrl : atPort(harnessUrl, this.network.port);
    const product = this.#pooler
      ? { databaseUrl: this.#pooler.through(directUrl), directUrl }
      : { databaseUrl: directUrl };
    return { product, harnessUrl };
  }

  /** Migrating takes seconds of processor time, and copying what is migrated a tenth of one. */
  async #migrateTemplate(): Promise<string> {
    const name = 'migrated';
    await runAssay({ DATABASE_URL: await this.#server.createDatabase(name) }, 'migrate');
    return name;
  }

  async dropDatabase(name: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server.adminUrl });
    await client.connect();
    await client.query(`drop database ${pg.escapeIdentifier(name)} with (force)`);
    await client.end();
  }

  /** Also starts a server that gave up by itself. */
  async restart(): Promise<void> {
    await this.#server.stop();
    const { port } = this.#server;
    this.#server = await startPostgres({ dataDir: this.#dataDir, port, settings: postgresSettings });
  }

  /** Whether the server process runs; it may refuse connections at the moment. */
  isAlive(): boolean {
    try {
      return process.kill(this.#server.pid, 0);
    } catch {
      return false;
    }
  }

  /** SIGQUIT is PostgreSQL's immediate shutdown: the next start recovers from the WAL. */
  async crash(): Promise<void> {
    process.kill(this.#server.pid, 'SIGQUIT');
    await this.restart();
  }

  async stop(): Promise<void> {
    await this.#pooler?.stop();
    await this.network.close();
    await this.#server.stop();
  }
}

interface ProductUrls {
  readonly databaseUrl: string;
  readonly directUrl?: string;
}

function atPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

interface ProductOptions {
  /** Starts more of what surrounds the product, and returns the settings for it. */
  readonly furnish?: (apiUrl: string) => Promise<Record<string, string>>;
  /** Whether `assay start` runs API and worker, as for `npm start`. */
  readonly isSupervised?: boolean;
  /** The `assay` command of API and workers; that of this checkout unless given. */
  readonly command?: AssayCommand | undefined;
  /** Whether the network and the clock can fail too. Otherwise they are those of the machine, which cost nothing. */
  readonly isMachineFaulty?: boolean;
}

/** API and worker have 15 seconds to stop; more on a busy machine. */
const supervisedStopMsMax = 60_000;

/** Kept open, because signing in takes ten times as long as a query. */
function openConnections(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, application_name: harnessName });
  // The running query rejects too, and a connection that breaks while it is idle is replaced.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The product of one round: its own database, mail world and files, and real processes that can be killed. */
export class Product {
  readonly server: DatabaseServer;
  readonly world: MailWorld;
  readonly apiUrl: string;
  readonly environment: Record<string, string>;
  readonly filesFolder: string;
  /** How many jobs that can only fail the round added to each queue, in the order of their names. */
  poisoned: Readonly<Record<string, number>> = {};
  readonly #dataFolder: string;
  readonly #clockFile: string;
  readonly #databaseName: string;
  readonly #connections: pg.Pool;
  readonly #command: AssayCommand | undefined;
  readonly #processes: ProductProcess[] = [];
  readonly #delays = monitorEventLoopDelay();
  #api: ProductProcess | undefined;
  #workers: ProductProcess[] = [];
  /** `assay start` in place of both. */
  #supervisor: ProductProcess | undefined;

  private constructor(
    server: DatabaseServer,
    world: MailWorld,
    surroundings: { apiUrl: string; environment: Record<string, string> },
    place: {
      dataFolder: string;
      databaseName: string;
      harnessUrl: string;
      clockFile: string;
      command: AssayCommand | undefined;
    },
  ) {
    this.server = server;
    this.world = world;
    this.apiUrl = surroundings.apiUrl;
    this.environment = surroundings.environment;
    this.filesFolder = join(place.dataFolder, 'files');
    this.#dataFolder = place.dataFolder;
    this.#clockFile = place.clockFile;
    this.#databaseName = place.databaseName;
    this.#connections = openConnections(place.harnessUrl);
    this.#command = place.command;
  }

  /** From now on, notes when the mail world, which runs in this process, is held up. */
  watchWorld(): void {
    this.#delays.enable();
  }

  /** For how long the mail world answered nothing because the machine was too busy. */
  get worldLateMs(): number {
    return this.#delays.max / 1e6;
  }

  static async start(
    server: DatabaseServer,
    issuer: TestIssuer,
    folder: string,
    { furnish, isSupervised = false, command, isMachineFaulty = true }: ProductOptions = {},
  ): Promise<Product> {
    const dataFolder = await mkdtemp(join(folder, 'round-'));
    await mkdir(join(dataFolder, 'files'));
    const databaseName = dataFolder.slice(-12).toLowerCase();
    const { product: urls, harnessUrl } = await server.createDatabase(databaseName, {
      isPastNetwork: !isMachineFaulty,
    });
    const mail = await startMailWorld({ zone, replyDelayMs });
    const surroundings = await describeSurroundings({ ...urls, issuer, mail, dataFolder });
    const clockFile = join(dataFolder, 'clock');
    const environment = {
      ...surroundings.environment,
      ...(await furnish?.(surroundings.apiUrl)),
      ...(isMachineFaulty && {
        FAULTS_CLOCK_FILE: clockFile,
        NODE_OPTIONS: `--import=${clockProgram.href}`,
      }),
    };
    const place = { dataFolder, databaseName, harnessUrl, clockFile };
    const product = new Product(server, mail, { ...surroundings, environment }, { ...place, command });
    await product.setClock(0);
    if (isSupervised) await product.startSupervisor();
    else {
      await product.startApi();
      await product.startWorker();
    }
    return product;
  }

  async startApi(): Promise<void> {
    this.#api = await this.#start('api');
  }

  async startWorker(): Promise<void> {
    this.#workers.push(await this.#start('worker'));
  }

  async startSupervisor(): Promise<void> {
    // Processes of a supervisor that was killed stop by themselves, and have their ports until then.
    await new Deadline(supervisedStopMsMax).until('the processes of the last one have ended', async () => {
      const connected = await this.ask(
        `select from pg_stat_activity where datname = current_database() and application_name like 'assay %'
           and application_name <> $1`,
        [harnessName],
      );
      return connected.length === 0;
    });
    this.#supervisor = await this.#start('start');
  }

  async endApi(ending?: Ending, secondAfterMs?: number): Promise<void> {
    await this.#api?.end(ending, secondAfterMs);
  }

  async endSupervisor(ending: Ending, secondAfterMs?: number): Promise<void> {
    await this.#supervisor?.end(ending, secondAfterMs);
  }

  /** Ends all workers, or the one that started first. */
  async endWorkers(
    ending: Ending,
    which: 'all' | 'the first' = 'all',
    secondAfterMs?: number,
  ): Promise<void> {
    const ended = this.#workers.splice(0, which === 'all' ? this.#workers.length : 1);
    await Promise.all(ended.map((worker) => worker.end(ending, secondAfterMs)));
  }

  signalWorkers(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const { pid } of this.#workers) process.kill(pid, signal);
  }

  signalApi(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = (this.#supervisor ?? this.#api)?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }

  /** Sets the clock of all processes to this many milliseconds ahead of the machine's. */
  setClock(aheadMs: number): Promise<void> {
    return writeFile(this.#clockFile, String(aheadMs));
  }

  /** Processes that exited unexpectedly; must be empty. */
  get falls(): string[] {
    return this.#processes.flatMap(({ fall }) => fall ?? []);
  }

  get troubles(): string[] {
    return this.#processes.flatMap(({ troubles }) => troubles);
  }

  /** One query of the harness; throws at once if the server stops. */
  async ask<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return this.connected(async (client) => (await client.query<Row>(statement, values)).rows);
  }

  async connected<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connections.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // It may be broken, or in a transaction that failed.
      client.release(true);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#delays.disable();
    this.server.network.delayBy(0);
    await this.#supervisor?.stop();
    await this.#api?.stop();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.world.close();
    await this.#connections.end();
    await this.server.dropDatabase(this.#databaseName);
    await rm(this.#dataFolder, { recursive: true, force: true });
  }

  async #start(role: 'api' | 'worker' | 'start'): Promise<ProductProcess> {
    // A release has no stand-ins, which `assay start` runs too.
    const command = role === 'start' ? undefined : this.#command;
    const started = await startProcess(role, this.environment, command);
    this.#processes.push(started);
    return started;
  }
}
