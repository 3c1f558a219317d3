import { createHmac, timingSafeEqual } from 'node:crypto';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { Installation } from '../installation.ts';
import { endSession } from '../store/records.adapter.ts';
import { type Context, readBody, seeOther } from '../web.ts';

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The interaction that both the address and the browser's cookie name; anything else is refused. */
export async function loadInteraction(provider: Provider, ctx: Context, uid: string): Promise<Interaction> {
  const interaction = await provider.interactionDetails(ctx.req, ctx.res);
  if (interaction.uid !== uid) throw new errors.SessionNotFound('interaction and cookie do not match');
  return interaction;
}

/** What a form belongs to: a sign-in, or the session whose person looks at their own pages. */
type FormOwner = Pick<Interaction, 'uid'>;

/** Goes into every form. Another site can neither read it nor work it out. */
export function formTokenOf({ secrets }: Installation, { uid }: FormOwner): string {
  return createHmac('sha256', secrets.pepper).update(`form\0${uid}`).digest('base64url');
}

export async function readForm(
  installation: Installation,
  ctx: Context,
  owner: FormOwner,
): Promise<URLSearchParams> {
  const fields = new URLSearchParams(await readBody(ctx.req));
  const expected = Buffer.from(formTokenOf(installation, owner));
  const given = Buffer.from(fields.get('form_token') ?? '');
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw new errors.InvalidRequest('the form did not come from this page');
  }
  return fields;
}

/** Hands the signed-in person to the provider, which goes on to the client. */
export async function finishInteraction(
  { provider, installation }: { provider: Provider; installation: Installation },
  ctx: Context,
  interaction: Interaction,
  login: { accountId: string; amr: string[] },
): Promise<void> {
  // Another person was signed in on this browser. Their session ends, so that it is not taken over.
  if (interaction.session && interaction.session.accountId !== login.accountId) {
    await endSession(installation.database, interaction.session.uid);
    interaction.session = undefined;
    await interaction.persist();
  }
  const returnTo = await provider.interactionResult(
    ctx.req,
    ctx.res,
    { login },
    { mergeWithLastSubmission: false },
  );
  seeOther(ctx, returnTo);
}
