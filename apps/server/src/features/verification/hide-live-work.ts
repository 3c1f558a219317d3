import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { AppError, type ErrorCode } from '../../platform/errors/index.ts';

/** What a path can name, by its parameter. */
const named = {
  list_id: { table: 'lists', refusal: 'list_not_found' },
  validation_id: { table: 'single_validations', refusal: 'not_found' },
  upload_id: { table: 'uploads', refusal: 'upload_not_found' },
} as const satisfies Record<string, { table: string; refusal: ErrorCode }>;

/** For a test key, only work of the sandbox exists: it cannot read, change or delete what the customer paid for. */
export function hideLiveWork(app: FastifyInstance, db: Db): void {
  app.addHook('preHandler', async ({ caller, params }) => {
    if (!caller?.key?.grant?.isTest) return;
    const ids = params as Readonly<Partial<Record<keyof typeof named, string>>>;
    for (const parameter of Object.keys(named) as (keyof typeof named)[]) {
      const id = ids[parameter];
      if (id === undefined) continue;
      const { table, refusal } = named[parameter];
      const row = await db
        .selectFrom(table)
        .select('is_sandbox')
        .where('owner_id', '=', caller.accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (row?.is_sandbox === false) throw new AppError(refusal, { keyId: caller.key.id });
    }
  });
}
