import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';

/** More than a busy process needs between two statements. */
const defaultIdleMsMax = 30_000;

/**
 * Transactions that PostgreSQL ends when nothing happens in them for a while. A process that is stopped, or a machine that lost
 * the network, would otherwise keep its locks for hours, and no other worker could take its jobs.
 */
export class BoundedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #idleMsMax: number;

  constructor(config: PostgresDialectConfig, idleMsMax = defaultIdleMsMax) {
    super(config);
    this.#config = config;
    this.#idleMsMax = idleMsMax;
  }

  override createDriver(): Driver {
    return new BoundedPostgresDriver(this.#config, this.#idleMsMax);
  }
}

class BoundedPostgresDriver extends PostgresDriver {
  readonly #idleMsMax: number;

  constructor(config: PostgresDialectConfig, idleMsMax: number) {
    super(config);
    this.#idleMsMax = idleMsMax;
  }

  // With the beginning, because a setting of the connection would need one round trip more, or a pooler that knows it.
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean);
    const begin = ['begin', ...modes].join(' ');
    const limit = `set local idle_in_transaction_session_timeout = ${this.#idleMsMax}`;
    await connection.executeQuery(CompiledQuery.raw(`${begin}; ${limit}`));
  }
}
