import { parseAddress } from '@assay/verifier';
import type { FastifyInstance } from 'fastify';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { AssetPaths } from './docs-assets.ts';
import { OWNER_COUNTS_PATH, type OwnerCounts, renderOwnerCountsPage } from './owner-counts-page.ts';

export interface OwnerCountsParts {
  readonly secrets: Secrets;
  readonly assets: AssetPaths;
  /** The tokens below the domain; undefined if it could not be looked up. */
  countTokensOf(domain: string): Promise<readonly string[] | undefined>;
  findCounts(domain: string): Promise<readonly { readonly date: string; readonly questions: number }[]>;
}

/** Bounded like the search of the documentation, because each request leads to a question to DNS. */
const isPublic = { config: { auth: 'public', pageKind: 'search' } } as const;
const purpose = 'counts for the owner of a domain';
const tokenLength = 32;

/** Shows the owner of a domain how often we asked about it. The token follows from the domain, so nothing is stored. */
export function registerOwnerCounts(app: FastifyInstance, parts: OwnerCountsParts): void {
  app.get<{ Querystring: { domain?: unknown } }>(OWNER_COUNTS_PATH, isPublic, async ({ query }, reply) => {
    const counts = await findOwnerCounts(parts, typeof query.domain === 'string' ? query.domain : '');
    return reply
      .code(counts.kind === 'bad_domain' ? 400 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(renderOwnerCountsPage(counts, parts.assets));
  });
}

async function findOwnerCounts(parts: OwnerCountsParts, typed: string): Promise<OwnerCounts> {
  const address = parseAddress(`postmaster@${typed.trim()}`);
  if (!address.ok) return { kind: 'bad_domain' };
  const { domain } = address;
  const ours = parts.secrets.keyedHashes(purpose, domain).map((hash) => hash.slice(0, tokenLength));
  const record = `_assay.${domain}.  300  IN  TXT  "v=assay1; count=${ours[0]}"`;
  const published = await parts.countTokensOf(domain);
  if (published === undefined) return { kind: 'not_looked_up', domain, record };
  if (!published.some((token) => ours.includes(token))) return { kind: 'not_proved', domain, record };
  return { kind: 'proved', domain, days: await parts.findCounts(domain) };
}
