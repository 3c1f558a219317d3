import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Installation } from './installation.ts';
import { homeUrlOf, mountPathOf } from './options.ts';
import { confirmSignOutMessage, signedOutMessage } from './pages/messages.ts';
import { endGrant } from './store/records.adapter.ts';
import { seeOther, sendPage } from './web.ts';

/**
 * RP-initiated logout §2: the person is asked, unless the client shows an id token of the very person whose session
 * this is. The web app always does, after its own confirm dialog; a link on a foreign page cannot.
 */
export async function confirmSignOut(
  installation: Installation,
  ctx: KoaContextWithOIDC,
  form: string,
): Promise<void> {
  const { session, entities } = ctx.oidc;
  if (!session?.accountId || entities.IdTokenHint?.payload.sub !== session.accountId) {
    sendPage(ctx, confirmSignOutMessage({ form, homeUrl: homeUrlOf(installation) }));
    return;
  }
  const next = placeAfterSignOut(ctx);
  for (const { grantId } of Object.values(session.authorizations ?? {})) {
    if (grantId) await endGrant(installation.database, grantId);
  }
  await session.destroy();
  const path = mountPathOf(installation.options.issuer) || '/';
  ctx.oidc.cookies.set(ctx.oidc.provider.cookieName('session'), null, {
    httpOnly: true,
    sameSite: 'lax',
    path,
  });
  seeOther(ctx, next);
}

export function signedOut(installation: Installation, ctx: KoaContextWithOIDC): void {
  sendPage(ctx, signedOutMessage({ homeUrl: homeUrlOf(installation) }));
}

/** The provider has checked by now that the address is registered for the client. */
function placeAfterSignOut({ oidc }: KoaContextWithOIDC): string {
  const { post_logout_redirect_uri: registered, state } = oidc.params ?? {};
  if (typeof registered !== 'string') return oidc.urlFor('end_session_success');
  const url = new URL(registered);
  if (typeof state === 'string') url.searchParams.set('state', state);
  return url.href;
}
