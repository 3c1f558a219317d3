import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { tooManyAtOnce } from '../limits/concurrency-limit.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import { Client } from './client.ts';

const customers = new AsyncLocalStorage<string>();

/** The statements of this work wait for connections as those of the customer. */
export const onBehalfOf = <Result>(customerId: string, work: () => Result): Result =>
  customers.run(customerId, work);

/** Few of a customer's transactions gain by running together, since they change the same balance. */
const largestPart = 0.4;

/** A customer's own statements make the line that the customer waits in, so this says nothing about the database. */
const ownLineMsMax = 30_000;
const ownLineText = 'You have too many calls under way. Send fewer at a time.';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (reason?: unknown) => void,
) => void;

/**
 * A pool whose connections go by customer: many calls of one do not delay the call of another, which is what the pool's own line does.
 * Statements without a customer are the product's. See docs/decisions/database-connections-by-customer.md.
 */
export class FairPool extends pg.Pool {
  readonly #line: FairQueue;

  constructor(config: pg.PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number }) {
    super({ ...config, Client });
    this.#line = new FairQueue({ placeCount: config.max, largestPart });
    // Declared as a property, which an accessor of the class may not replace.
    Object.defineProperty(this, 'waitingCount', { get: () => this.#line.waitingCountForNewcomer });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connectInTurn();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (reason) => client.release(reason as boolean | undefined)),
      (error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  #connectInTurn(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    const waiting = new AbortController();
    const customerId = customers.getStore() ?? '';
    const patience =
      customerId === ''
        ? setTimeout(
            () => waiting.abort(new Error('timeout exceeded when trying to connect')),
            this.options.connectionTimeoutMillis,
          )
        : setTimeout(() => waiting.abort(tooManyAtOnce(this.#line.waitingCount, ownLineText)), ownLineMsMax);
    const useUntilReleased = async () => {
      clearTimeout(patience);
      const client = await super.connect();
      const released = Promise.withResolvers<void>();
      const release = client.release;
      client.release = (destroy) => {
        release(destroy);
        released.resolve();
      };
      resolve(client);
      await released.promise;
    };
    this.#line
      .run(customerId, useUntilReleased, waiting)
      .catch(reject)
      .finally(() => clearTimeout(patience));
    return promise;
  }
}
