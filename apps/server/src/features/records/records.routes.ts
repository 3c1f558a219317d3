import { type RetentionDays, recordsRoutes, usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { requireRecentSignIn } from '../../platform/auth/index.ts';
import type { Schedule } from '../../platform/clock.ts';
import type { Reads } from '../../platform/database/reads.ts';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute, serveLinkedFiles } from '../../platform/http/index.ts';
import type { IdentityAdmin } from '../../platform/identity-admin/index.ts';
import { openerOf } from '../../platform/ids.ts';
import { createConcurrencyLimit, requireAttempt } from '../../platform/limits/index.ts';
import { findRetention } from '../accounts/index.ts';
import { recordActivity } from '../activity/index.ts';
import type { FindListNames } from '../billing/index.ts';
import { findUser } from '../users/index.ts';
import { writeCustomerData } from './customer-data.ts';
import { type DeletionParts, deleteAccount } from './delete-account.ts';
import { previewRetention, setRetention } from './retention.ts';

export interface RecordsRoutesParts extends DeletionParts {
  readonly reads: Reads;
  readonly schedule: Schedule;
  readonly publicUrl: string;
  readonly graceDays: number;
  readonly findListNames: FindListNames;
  readonly identityAdmin: IdentityAdmin | null;
}

export function registerRecordsRoutes(app: FastifyInstance, parts: RecordsRoutesParts): void {
  registerRoute(app, usersRoutes.deleteMe, async ({ caller }) => {
    requireRecentSignIn(caller, parts.clock);
    await deleteAccount(parts, caller.userId);
    return null;
  });
  registerRoute(app, recordsRoutes.getRetention, async ({ caller }) => ({
    days: await findRetention(parts.db, caller.accountId),
  }));
  registerRoute(app, recordsRoutes.previewRetention, ({ caller, query }) =>
    previewRetention(parts, caller.accountId, Number(query.days) as RetentionDays),
  );
  registerRoute(app, recordsRoutes.setRetention, async ({ caller, body }) => {
    await setRetention(parts, caller, body.days);
    return body;
  });
  registerDataRoutes(app, parts);
}

const dataOrderSchema = z.strictObject({
  ownerId: z.uuid(),
  format: z.literal('zip'),
  expiresAt: z.number(),
});

/** An archive reads everything that a customer has, so each customer gets one at a time and a few in an hour. */
function registerDataRoutes(app: FastifyInstance, parts: RecordsRoutesParts): void {
  const downloads = createConcurrencyLimit(
    1,
    'Your data is being downloaded already. Wait until that download is finished, then try again.',
  );
  const linkTo = serveLinkedFiles(
    app,
    { ...parts, downloads },
    {
      path: '/users/data',
      order: dataOrderSchema,
      key: parts.secrets.keyFor('customer data links'),
      open: async ({ ownerId }) => {
        // After the account was deleted, the link leads nowhere.
        if (!(await findUser(parts.db, ownerId))) throw new AppError('not_found');
        return {
          name: 'Assay data',
          contents: writeCustomerData(parts, { ownerId, userId: openerOf(ownerId) }),
        };
      },
    },
  );
  registerRoute(app, recordsRoutes.exportData, async ({ caller }) => {
    requireRecentSignIn(caller, parts.clock);
    const ownerId = caller.accountId;
    await requireAttempt(parts, { bucket: 'data_export', key: ownerId, max: 10, windowSeconds: 3_600 });
    await recordActivity(parts.db, caller, { kind: 'export.account', now: parts.clock.now() });
    return { download_link: linkTo({ ownerId, format: 'zip' }) };
  });
}
