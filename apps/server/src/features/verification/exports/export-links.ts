import { randomBytes, randomUUID } from 'node:crypto';
import { API_BASE, EXPORT_LINKS, type ExportLink } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { emailLists } from '../lists/email-lists.ts';
import { type ExportOrder, emailExportName, type StoredExport, storedExportSchema } from './export-link.ts';
import { findLinkByToken, findLinks, insertLink, noteLinkUse, removeLink } from './export-links.store.ts';

/** Where files behind such links are, below the API base. */
export const sharedFilesPath = '/validations/shared';

interface LinkParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly publicUrl: string;
}

const tokenBytes = 32;
const msPerDay = 86_400_000;
/** A link that many people follow would otherwise update its row with every download. */
const lastUsedStepMs = 60_000;

/** Makes a link that works until it expires or is revoked. Only its holder knows the token: we keep a hash. */
export async function createExportLink(
  { db, clock, secrets, publicUrl }: LinkParts,
  actor: Actor,
  place: ListPlace,
  stored: StoredExport,
  days: number,
): Promise<ExportLink & { url: string }> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const now = clock.now();
  const link = await db.transaction().execute(async (tx) => {
    // The lock keeps two calls from adding the last link both.
    const list = await emailLists.results.lock(tx, place);
    if ((await findLinks(tx, place, now)).length >= EXPORT_LINKS.perListMax)
      throw new AppError('too_many_links');
    const row = await insertLink(tx, place, {
      id: randomUUID(),
      tokenHash: secrets.keyedHash(linkPurpose, token),
      stored,
      now,
      expiresAt: new Date(now.getTime() + days * msPerDay),
    });
    await recordActivity(tx, actor, { kind: 'export.shared', list, now });
    return linkAnswer(list.name, row);
  });
  return { ...link, url: `${publicUrl}${API_BASE}${sharedFilesPath}?token=${token}` };
}

export async function listExportLinks({ db, clock }: LinkParts, place: ListPlace): Promise<ExportLink[]> {
  const list = await emailLists.answers.require(db, place);
  return (await findLinks(db, place, clock.now())).map((link) => linkAnswer(list.name, link));
}

export async function revokeExportLink(
  { db, clock }: LinkParts,
  actor: Actor,
  place: ListPlace,
  linkId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await removeLink(tx, place, linkId))) throw new AppError('not_found', { linkId });
    const list = await emailLists.answers.require(tx, place);
    await recordActivity(tx, actor, { kind: 'export.revoked', list, now: clock.now() });
  });
}

/** What the holder of a token may download. A link that was revoked, has expired or never was answers the same. */
export async function openExportLink(
  { db, clock, secrets }: LinkParts,
  token: string,
): Promise<ExportOrder & { readonly linkId: string }> {
  const now = clock.now();
  const link = await findLinkByToken(db, secrets.keyedHashes(linkPurpose, token), now);
  if (!link) throw new AppError('not_found', {}, { text: deadLinkText });
  const stored = storedExportSchema.parse(link.export);
  if (!link.last_used_at || now.getTime() - link.last_used_at.getTime() >= lastUsedStepMs)
    await noteLinkUse(db, link, now);
  const { id: linkId, owner_id: ownerId, list_id: listId } = link;
  return { linkId, ownerId, listId, ...stored, expiresAt: now.getTime() };
}

const deadLinkText =
  'This link does not work: it was revoked, has expired or is incomplete. Ask for a new one where you got it.';

/** Part of the stored hash: changing it would end all links. */
const linkPurpose = 'shared export links';

const linkAnswer = (listName: string, link: Awaited<ReturnType<typeof findLinks>>[number]): ExportLink => {
  const stored = storedExportSchema.parse(link.export);
  return {
    id: link.id,
    name: `${emailExportName(listName, stored)}.${stored.format}`,
    creation_date: link.created_at.toISOString(),
    expiration_date: link.expires_at.toISOString(),
    last_used_date: link.last_used_at?.toISOString() ?? null,
  };
};
