import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { Installation } from './installation.ts';
import { homeUrlOf, recentSignInSeconds } from './options.ts';
import {
  type AccountState,
  accountScreen,
  authenticatorScreen,
  newPasskeyScreen,
  noSecondStepScreen,
  recoveryCodesScreen,
} from './pages/account-screens.ts';
import type { FormErrors } from './pages/form.ts';
import { accountClientId } from './provider.ts';
import { type Ceremony, hasPasskeys, newPasskeyOptions } from './second-step/passkeys.ts';
import { type FreshCodes, type Person, SecondFactorService } from './second-step/second-factors.ts';
import { formTokenOf, readForm } from './sign-in/interaction.ts';
import { findAccountById } from './store/accounts.store.ts';
import { type Context, callerOf, type Next, seeOther, sendError, sendPage } from './web.ts';

const base = '/account';
const accountPath = /^\/account(?:\/([a-z-]+(?:\/remove)?))?$/;
const passkeyNameMax = 50;

/** A person who signed in just now, and the session in which they did. */
interface Owner extends Person {
  session: Ceremony;
}

/** The pages on which a person turns two-step verification on and off. They are the provider's own, because passkeys belong to its name. */
export function accountRoutes(provider: Provider, installation: Installation) {
  const { options, database } = installation;
  const backTo = new URL('account', homeUrlOf(installation)).href;
  const service = new SecondFactorService(installation);

  async function findOwner(ctx: Context): Promise<Owner | undefined> {
    const session = await provider.Session.get(ctx as never);
    if (!session.accountId || session.past(recentSignInSeconds)) return undefined;
    const account = await findAccountById(database, session.accountId);
    return account && !account.mustChangePassword ? { account, session, caller: callerOf(ctx) } : undefined;
  }

  /** The provider's usual way, which asks for the second step too, and comes back to the first of these pages. */
  async function askToSignIn(ctx: Context): Promise<void> {
    // An answer with an error would only come again.
    if (new URL(ctx.url, options.issuer).searchParams.has('error'))
      throw new errors.InvalidRequest('the sign-in did not succeed');
    const { accountId = '' } = await provider.Session.get(ctx as never);
    const known = await findAccountById(database, accountId);
    const parameters = new URLSearchParams({
      client_id: accountClientId,
      response_type: 'none',
      scope: 'openid',
      redirect_uri: `${options.issuer}/account`,
      max_age: String(recentSignInSeconds),
      ...(known && { login_hint: known.email }),
    });
    seeOther(ctx, `${options.issuer}/auth?${parameters}`);
  }

  const stateOf = ({ session }: Owner, fields?: URLSearchParams, problems?: FormErrors): AccountState => ({
    base,
    backTo,
    token: formTokenOf(installation, session),
    ...(fields && { values: Object.fromEntries(fields) }),
    ...(problems && { errors: problems }),
  });

  const pages: Record<string, (ctx: Context, owner: Owner) => Promise<void>> = {
    '': async (ctx, owner) => {
      const factors = await service.find(owner.account.id);
      const canAddPasskeys = hasPasskeys(installation);
      sendPage(ctx, accountScreen(stateOf(owner), { factors, canAddPasskeys }));
    },
    authenticator: async (ctx, owner) => {
      const { authenticatorSince } = await service.find(owner.account.id);
      if (authenticatorSince) seeOther(ctx, base);
      else showOffer(ctx, owner, service.offerSecret(owner.session));
    },
    passkey: (ctx, owner) => showNewPasskey(ctx, owner),
  };

  const actions: Record<string, (ctx: Context, owner: Owner, fields: URLSearchParams) => Promise<void>> = {
    authenticator: async (ctx, owner, fields) => {
      const sealed = fields.get('offer') ?? '';
      const secret = service.openOffer(owner.session, sealed);
      if (!secret) throw new errors.InvalidRequest('the key was not offered in this session');
      const { authenticatorSince } = await service.find(owner.account.id);
      if (authenticatorSince) return seeOther(ctx, base);
      const codes = await service.addAuthenticator(owner, secret, fields.get('code') ?? '');
      if (codes) return showCodes(ctx, owner, codes);
      const code = 'That code is not right. Check the clock of your phone, and enter the next one.';
      return showOffer(ctx, owner, { secret, sealed }, { code });
    },
    'authenticator/remove': async (ctx, owner) => {
      await service.removeAuthenticator(owner);
      seeOther(ctx, base);
    },
    passkey: async (ctx, owner, fields) => {
      const name = (fields.get('name') ?? '').trim().normalize('NFC');
      if (name === '' || [...name].length > passkeyNameMax || /\p{C}/u.test(name))
        return showNewPasskey(ctx, owner, fields, { name: `A name has 1 to ${passkeyNameMax} letters.` });
      const answer = fields.get('passkey') ?? '';
      const codes = await service.addPasskey(owner, owner.session, { name, answer });
      if (codes) return showCodes(ctx, owner, codes);
      return showNewPasskey(ctx, owner, fields, { form: 'This passkey could not be added. Try again.' });
    },
    'passkey/remove': async (ctx, owner, fields) => {
      await service.removePasskey(owner, fields.get('id') ?? '');
      seeOther(ctx, base);
    },
    'recovery-codes': async (ctx, owner) => {
      if (!(await service.isOn(owner.account.id))) return seeOther(ctx, base);
      return showCodes(ctx, owner, await service.renewRecoveryCodes(owner));
    },
  };

  function showOffer(
    ctx: Context,
    owner: Owner,
    offer: { secret: Buffer; sealed: string },
    problems?: FormErrors,
  ): void {
    const { email } = owner.account;
    const state = stateOf(owner, undefined, problems);
    sendPage(ctx, authenticatorScreen(state, { ...offer, email }), problems ? 422 : 200);
  }

  async function showNewPasskey(
    ctx: Context,
    owner: Owner,
    fields?: URLSearchParams,
    problems?: FormErrors,
  ): Promise<void> {
    const { account, session } = owner;
    const { passkeys } = await service.find(account.id);
    const made = await newPasskeyOptions(installation, session, { account, passkeys });
    sendPage(
      ctx,
      newPasskeyScreen(stateOf(owner, fields, problems), { options: made }),
      problems ? 422 : 200,
    );
  }

  function showCodes(ctx: Context, owner: Owner, codes: FreshCodes): void {
    if (codes.length === 0) seeOther(ctx, base);
    else sendPage(ctx, recoveryCodesScreen(stateOf(owner), codes));
  }

  async function serve(ctx: Context, name: string): Promise<void> {
    const owner = await findOwner(ctx);
    if (!owner) return askToSignIn(ctx);
    if (owner.account.identity !== 'email') return sendPage(ctx, noSecondStepScreen({ backTo }));
    if (ctx.method === 'GET' && pages[name]) return pages[name](ctx, owner);
    const action = ctx.method === 'POST' ? actions[name] : undefined;
    if (!action) throw new errors.InvalidRequest('there is no such page');
    return action(ctx, owner, await readForm(installation, ctx, owner.session));
  }

  return async (ctx: Context, next: Next): Promise<unknown> => {
    const match = accountPath.exec(ctx.path);
    if (!match) return next();
    try {
      return await serve(ctx, match[1] ?? '');
    } catch (error) {
      return sendError(installation, ctx, error as Error);
    }
  };
}
