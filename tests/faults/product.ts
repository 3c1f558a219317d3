import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type MailWorld, startMailWorld } from '@assay/mail-world';
import { type Postgres, startPostgres } from '@assay/postgres';
import pg from 'pg';
import type { TestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { describeSurroundings } from '../support/environment.ts';
import { type Pooler, startPooler } from '../support/pooler.ts';
import { type ProductProcess, startProcess } from '../support/product-process.ts';
import { zone } from './list-file.ts';

/** Reply delay of hosts: a list runs for a few seconds. */
const replyDelayMs = 10;

/** Without fsync: the faults kill processes, not the machine. */
const postgresSettings = { fsync: 'off' };

/** One PostgreSQL server for all rounds, which can be stopped and started while the product runs. */
export class DatabaseServer {
  readonly #dataDir: string;
  /** Between the product and the server. */
  readonly pooler: Pooler | undefined;
  #server: Postgres;

  private constructor(dataDir: string, server: Postgres, pooler: Pooler | undefined) {
    this.#dataDir = dataDir;
    this.#server = server;
    this.pooler = pooler;
  }

  static async start(dataDir: string, { hasPooler = false } = {}): Promise<DatabaseServer> {
    const server = await startPostgres({ dataDir, settings: postgresSettings });
    return new DatabaseServer(dataDir, server, hasPooler ? await startPooler(server.url) : undefined);
  }

  createDatabase(name: string): Promise<string> {
    return this.#server.createDatabase(name);
  }

  async restart(): Promise<void> {
    await this.#server.stop();
    const { port } = this.#server;
    this.#server = await startPostgres({ dataDir: this.#dataDir, port, settings: postgresSettings });
  }

  /** SIGQUIT is PostgreSQL's immediate shutdown: the next start recovers from the WAL. */
  async crash(): Promise<void> {
    process.kill(this.#server.pid, 'SIGQUIT');
    await this.restart();
  }

  async stop(): Promise<void> {
    await this.pooler?.stop();
    await this.#server.stop();
  }
}

/** The product of one round: its own database, mail world and files, and real processes that can be killed. */
export class Product {
  readonly server: DatabaseServer;
  readonly world: MailWorld;
  readonly apiUrl: string;
  readonly environment: Record<string, string>;
  readonly filesFolder: string;
  readonly #processes: ProductProcess[] = [];
  readonly #delays = monitorEventLoopDelay();
  #api: ProductProcess | undefined;
  #worker: ProductProcess | undefined;

  private constructor(
    server: DatabaseServer,
    world: MailWorld,
    surroundings: { apiUrl: string; environment: Record<string, string> },
    dataFolder: string,
  ) {
    this.server = server;
    this.world = world;
    this.apiUrl = surroundings.apiUrl;
    this.environment = surroundings.environment;
    this.filesFolder = join(dataFolder, 'files');
    this.#delays.enable();
  }

  /** For how long the mail world, which runs in this process, answered nothing because the machine was too busy. */
  get worldLateMs(): number {
    return this.#delays.max / 1e6;
  }

  static async start(server: DatabaseServer, issuer: TestIssuer, folder: string): Promise<Product> {
    const dataFolder = await mkdtemp(join(folder, 'round-'));
    await mkdir(join(dataFolder, 'files'));
    const directUrl = await server.createDatabase(dataFolder.slice(-12).toLowerCase());
    const mail = await startMailWorld({ zone, replyDelayMs });
    const urls = server.pooler
      ? { databaseUrl: server.pooler.through(directUrl), directUrl }
      : { databaseUrl: directUrl };
    const surroundings = await describeSurroundings({ ...urls, issuer, mail, dataFolder });
    const product = new Product(server, mail, surroundings, dataFolder);
    await product.startApi();
    await product.startWorker();
    return product;
  }

  async startApi(): Promise<void> {
    this.#api = await this.#start('api');
  }

  async startWorker(): Promise<void> {
    this.#worker = await this.#start('worker');
  }

  async killApi(): Promise<void> {
    await this.#api?.kill();
  }

  async killWorker(): Promise<void> {
    await this.#worker?.kill();
  }

  /** Processes that exited unexpectedly; must be empty. */
  get falls(): string[] {
    return this.#processes.flatMap(({ fall }) => fall ?? []);
  }

  get troubles(): string[] {
    return this.#processes.flatMap(({ troubles }) => troubles);
  }

  /** A connection for one query of the harness; throws at once if the server stops. */
  async ask<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return this.connected(async (client) => (await client.query<Row>(statement, values)).rows);
  }

  async connected<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({
      connectionString: this.environment.DATABASE_DIRECT_URL ?? this.environment.DATABASE_URL,
      application_name: 'assay faults',
    });
    // The running query rejects too.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    this.#delays.disable();
    await this.#api?.stop();
    await this.#worker?.stop();
    await this.world.close();
    await rm(join(this.filesFolder, '..'), { recursive: true, force: true });
  }

  async #start(role: 'api' | 'worker'): Promise<ProductProcess> {
    const started = await startProcess(role, this.environment);
    this.#processes.push(started);
    return started;
  }
}
