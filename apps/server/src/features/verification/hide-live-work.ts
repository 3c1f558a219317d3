import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { AppError, type ErrorCode } from '../../platform/errors/index.ts';
import { isLiveWork, type NamedWork } from './live-work.store.ts';

/** What a path can name, by its parameter. */
const refusals = {
  list_id: 'list_not_found',
  validation_id: 'not_found',
  upload_id: 'upload_not_found',
} as const satisfies Record<NamedWork, ErrorCode>;

/** For a test key, only work of the sandbox exists: it cannot read, change or delete what the customer paid for. */
export function hideLiveWork(app: FastifyInstance, db: Db): void {
  app.addHook('preHandler', async ({ caller, params }) => {
    if (!caller?.key?.grant?.isTest) return;
    const ids = params as Readonly<Partial<Record<NamedWork, string>>>;
    for (const parameter of Object.keys(refusals) as NamedWork[]) {
      const id = ids[parameter];
      if (id === undefined || !(await isLiveWork(db, parameter, { ownerId: caller.accountId, id }))) continue;
      throw new AppError(refusals[parameter], { keyId: caller.key.id });
    }
  });
}
