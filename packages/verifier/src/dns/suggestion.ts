import type { LikelyDomain } from '../address/likely-domain.ts';
import { findMailRoute, type MailRoute } from './mail-route.ts';
import type { Resolver } from './resolver.ts';

interface SuggestionParts {
  readonly traits: { suggestionFor(domain: string, hasMx: boolean): LikelyDomain | undefined };
  readonly resolver: Resolver;
}

/** The domain that the customer probably meant, if it has a mail host and the written one is likely wrong. */
export async function findSuggestion(
  domain: string,
  route: MailRoute,
  { traits, resolver }: SuggestionParts,
): Promise<string | undefined> {
  const hasMx = !hasNoMx(route);
  const meant = traits.suggestionFor(domain, hasMx);
  if (meant === undefined || (hasMx && !meant.isKnownTypo)) return undefined;
  return (await findMailRoute(meant.name, resolver)).kind === 'hosts' ? meant.name : undefined;
}

/** DNS says that the domain has no mail host of its own; a failed lookup says nothing. */
const hasNoMx = (route: MailRoute): boolean =>
  route.kind === 'hosts' ? route.isImplicit : route.kind !== 'dns_failed' && route.kind !== 'dns_timeout';
