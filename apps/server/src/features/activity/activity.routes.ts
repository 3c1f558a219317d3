import {
  ACTIVITY_AREAS,
  type Activity,
  activityRoutes,
  activityWords,
  type PageQuery,
} from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock, Schedule } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { type RowPage, writeCsv } from '../../platform/csv/write-rows.ts';
import type { Db } from '../../platform/database/database.ts';
import { registerRoute, serveLinkedFiles } from '../../platform/http/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ConcurrencyLimit } from '../../platform/limits/index.ts';
import {
  type ActivityFilter,
  type ActivityRow,
  findActivities,
  findActivitiesBefore,
} from './activity.store.ts';
import { recordActivity } from './record-activity.store.ts';

interface ActivityParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly secrets: Secrets;
  readonly downloads: ConcurrencyLimit;
  readonly publicUrl: string;
}

const exportName = 'Activity';

const orderSchema = z.strictObject({
  ownerId: z.uuid(),
  area: z.optional(z.enum(ACTIVITY_AREAS)),
  search: z.optional(z.string()),
  expiresAt: z.number(),
});

export function registerActivityRoutes(app: FastifyInstance, parts: ActivityParts): void {
  const { db } = parts;
  registerRoute(app, activityRoutes.listActivities, ({ caller, query }) =>
    listActivities(db, caller.accountId, query),
  );
  const linkTo = serveLinkedFiles(app, parts, {
    path: '/users/activity/exports',
    order: orderSchema,
    key: parts.secrets.keyFor('activity export links'),
    open: async ({ ownerId, ...filter }) => ({
      name: exportName,
      contents: exportActivities(db, ownerId, filter),
    }),
  });
  registerRoute(app, activityRoutes.exportActivities, async ({ caller, query }) => {
    await recordActivity(db, caller, {
      kind: 'export.created',
      about: exportName,
      now: parts.clock.now(),
    });
    return { download_link: linkTo({ ownerId: caller.accountId, ...query }) };
  });
}

export async function listActivities(
  db: Db,
  ownerId: AccountId,
  { area, search, ...page }: ActivityFilter & PageQuery,
): Promise<{ results: Activity[]; total: number }> {
  const { rows, total } = await findActivities(db, ownerId, { area, search }, page);
  return { results: rows.map(activityAnswer), total };
}

const activityAnswer = ({ number, recorded_at, contents, list_name }: ActivityRow): Activity => ({
  number,
  date: recorded_at.toISOString(),
  kind: contents.kind,
  about: list_name ?? contents.about,
  list_id: contents.list?.id ?? null,
  by: contents.by,
  api_key_id: contents.key?.id ?? null,
  api_key_name: contents.key?.name ?? null,
  address: contents.address,
  user_agent: contents.agent,
});

const columns = [
  'number',
  'date',
  'kind',
  'activity',
  'about',
  'list_id',
  'by',
  'api_key_id',
  'api_key_name',
  'address',
  'user_agent',
] as const satisfies (keyof Activity | 'activity')[];
const pageLength = 1_000;

/** CSV, newest first. No database connection is held while the client reads. */
export const exportActivities = (
  db: Db,
  ownerId: AccountId,
  filter: ActivityFilter = {},
): AsyncGenerator<Buffer> => writeCsv(columns, pagesOf(db, ownerId, filter));

async function* pagesOf(db: Db, ownerId: AccountId, filter: ActivityFilter): AsyncGenerator<RowPage> {
  for (let before: number | undefined; ; ) {
    const rows = await findActivitiesBefore(db, ownerId, filter, { before, limit: pageLength });
    yield rows.values().map((row) => {
      const answer = activityAnswer(row);
      const cells = { ...answer, activity: activityWords(answer.kind) };
      return columns.map((column) => String(cells[column] ?? ''));
    });
    if (rows.length < pageLength) return;
    before = rows.at(-1)?.number;
  }
}
