// What the suite compares: the product, and the bare program beside it on the same database, mail world and tokens.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@assay/postgres/testing/free-port';
import { decodeJwt } from 'jose';
import type { Customer } from '../../support/customer.ts';
import { type ProductProcess, startProcess } from '../../support/product-process.ts';
import type { BenchProduct } from '../bulk/product.ts';
import { pathOf } from '../harness/measure.ts';
import type { Call } from '../load/traffic.ts';

export interface Account {
  readonly customer: Customer;
  /** Its owner in the tables of the bare program. */
  readonly subject: string;
}

/** What an account has paid and got. */
export interface Books {
  readonly balance: number;
  readonly held: number;
  readonly checks: number;
  /** Those with a verdict that costs a credit. */
  readonly due: number;
}

export interface Target {
  readonly name: string;
  readonly url: string;
  /** Of a check whose call waits for the verdict. */
  readonly path: string;
  /** Without those of the database. */
  processIds(): number[];
  booksOf(account: Account): Promise<Books>;
  /** Kills the next of its processes with SIGKILL and starts it again. */
  killOne(): Promise<void>;
  stop(): Promise<void>;
}

export async function newAccount(product: BenchProduct, credits: number): Promise<Account> {
  const customer = await product.signUp(credits);
  const subject = decodeJwt(customer.token).sub ?? '';
  await product.pool.query('insert into bare_wallets (owner_id, balance) values ($1, $2)', [
    subject,
    credits,
  ]);
  return { customer, subject };
}

export async function createBareTables({ pool }: BenchProduct): Promise<void> {
  await pool.query(`
    create table bare_wallets (owner_id text primary key, balance bigint not null check (balance >= 0));
    create table bare_checks (
      owner_id text not null, id uuid not null, email_address text not null, verdict text not null, evidence jsonb not null,
      created_at timestamptz not null default now(), primary key (owner_id, id));`);
}

/** A call of a check, as its bytes. */
export function callOf({ name, url, path }: Target, { customer }: Account, emailAddress: string): Call {
  const body = JSON.stringify({ email_address: emailAddress });
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${customer.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return { name, bytes: `${lines.join('\r\n')}\r\n\r\n${body}` };
}

/** Longer than any check of the suite takes. */
const waitSeconds = 50;

export async function openProduct(product: BenchProduct): Promise<Target> {
  const { pool, environment } = product;
  const pids = { api: product.apiPid, worker: await product.startWorker() };
  const further: ProductProcess[] = [];
  let killed = 0;
  return {
    name: 'assay',
    url: product.apiUrl,
    path: `/api/validations/email_validation?wait=${waitSeconds}`,
    processIds: () => Object.values(pids),
    booksOf: async ({ customer }) => {
      const { rows } = await pool.query<Books>(
        `select balance::int, held::int,
           (select count(*)::int from single_validations where owner_id = $1) as checks,
           (select count(*)::int from single_validations where owner_id = $1 and verdict <> 'UNKNOWN') as due
         from wallets where owner_id = $1`,
        [customer.id],
      );
      return rows[0] as Books;
    },
    killOne: async () => {
      const role = killed++ % 2 === 0 ? 'worker' : 'api';
      process.kill(pids[role], 'SIGKILL');
      const started = await startProcess(role, environment);
      further.push(started);
      pids[role] = started.pid;
    },
    stop: async () => {
      for (const started of further) await started.stop();
    },
  };
}

export async function openBare({ environment, pool }: BenchProduct): Promise<Target> {
  const port = await freePort();
  const env = { ...process.env, ...environment, BARE_PORT: String(port) };
  const start = async () => {
    const child = fork(pathOf('./bare-singles.ts', import.meta.url), { env });
    await once(child, 'message');
    return child;
  };
  const end = async (running: ChildProcess, how: () => void) => {
    const exited = once(running, 'exit');
    how();
    await exited;
  };
  let child = await start();
  return {
    name: 'bare',
    url: `http://127.0.0.1:${port}`,
    path: '/checks',
    processIds: () => [child.pid as number],
    booksOf: async ({ subject }) => {
      const { rows } = await pool.query<Books>(
        `select balance::int, 0 as held,
           (select count(*)::int from bare_checks where owner_id = $1) as checks,
           (select count(*)::int from bare_checks where owner_id = $1 and verdict <> 'UNKNOWN') as due
         from bare_wallets where owner_id = $1`,
        [subject],
      );
      return rows[0] as Books;
    },
    killOne: async () => {
      await end(child, () => child.kill('SIGKILL'));
      child = await start();
    },
    stop: () => end(child, () => child.disconnect()),
  };
}
