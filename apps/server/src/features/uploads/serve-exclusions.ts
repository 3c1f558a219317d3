import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Caller } from '../../platform/auth/caller.ts';
import type { Db } from '../../platform/database/database.ts';
import { type LinkedFile, type LinkParts, serveLinkedFiles } from '../../platform/http/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordActivity } from '../activity/index.ts';

/** A download of an upload's excluded rows. */
const exclusionsOrderSchema = z.object({
  ownerId: z.string(),
  uploadId: z.string(),
  withHeaders: z.boolean(),
  expiresAt: z.number(),
});
export type ExclusionsOrder = z.output<typeof exclusionsOrderSchema>;

interface Exclusions {
  readonly path: string;
  readonly key: Buffer;
  /** Refuses an upload that the customer does not have. */
  readonly requireUpload: (ownerId: AccountId, uploadId: string) => Promise<unknown>;
  readonly open: (order: ExclusionsOrder) => Promise<LinkedFile>;
}

interface ExclusionsCall {
  readonly caller: Caller;
  readonly params: { readonly upload_id: string };
  readonly query: { readonly with_headers?: boolean | undefined };
}

/** The rows of an upload that are left out, behind signed links. Answers the handler of the call that gives a link out. */
export function serveExclusions(
  app: FastifyInstance,
  parts: LinkParts & { readonly db: Db },
  { path, key, requireUpload, open }: Exclusions,
): (call: ExclusionsCall) => Promise<{ download_link: string }> {
  const linkTo = serveLinkedFiles(app, parts, { path, order: exclusionsOrderSchema, key, open });
  return async ({ caller, params: { upload_id: uploadId }, query }) => {
    await requireUpload(caller.accountId, uploadId);
    const now = parts.clock.now();
    await recordActivity(parts.db, caller, { kind: 'export.created', about: 'Excluded rows', now });
    const withHeaders = query.with_headers ?? true;
    return { download_link: linkTo({ ownerId: caller.accountId, uploadId, withHeaders }) };
  };
}

/** What the file with the excluded rows is called. */
export const exclusionsName = (fileName: string): string =>
  `${fileName.replace(/\.[a-z]{3,4}$/i, '')} - excluded`;
