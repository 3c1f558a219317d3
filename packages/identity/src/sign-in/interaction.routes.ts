import { setTimeout as pause } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { Installation } from '../installation.ts';
import { networkOf } from '../network-of.ts';
import { googleScreen } from '../pages/google-screen.ts';
import { limitedMessage } from '../pages/messages.ts';
import {
  codeScreen,
  forgotScreen,
  newPasswordScreen,
  noResetScreen,
  type ScreenState,
  type SignInAgain,
  secondStepScreen,
  signInScreen,
  signUpScreen,
} from '../pages/screens.ts';
import { hasPasskeys, passkeyOptions } from '../second-step/passkeys.ts';
import { SecondFactorService } from '../second-step/second-factors.ts';
import { findAccountById } from '../store/accounts.store.ts';
import { isCodeStep } from '../store/pending-steps.ts';
import { type Context, callerOf, type Next, seeOther, sendError, sendPage } from '../web.ts';
import { recallGooglePeople, rememberGooglePerson } from './google-people.ts';
import {
  finishInteraction,
  formTokenOf,
  type Interaction,
  loadInteraction,
  readForm,
} from './interaction.ts';
import { knownDeviceOf, rememberDevice } from './known-devices.ts';
import type { PersonForm } from './person-form.ts';
import { type Outcome, SignInService, type Visit } from './sign-in.service.ts';

interface Screen {
  /** Draws the page, empty or with what was typed and what was wrong with it. */
  draw(state: ScreenState, visit: Visit, ctx: Context): Promise<string> | string;
  submit?(fields: URLSearchParams, visit: Visit, ctx: Context): Promise<Outcome>;
}

/** Each refusal takes this long, which slows down guessing. */
const refusalMs = 100;
const interactionPath = /^\/interaction\/([\w-]+)(?:\/([a-z-]+))?$/;

/** The pages between the provider's authorization request and its answer. */
export function interactionRoutes(provider: Provider, installation: Installation) {
  const screens = screensOf(installation);

  async function serve(ctx: Context, uid: string, name: string): Promise<void> {
    const screen = screens.get(name);
    if (!screen) throw new errors.InvalidRequest('there is no such page');
    const interaction = await loadInteraction(provider, ctx, uid);
    const visit: Visit = {
      interaction,
      network: networkOf(ctx.ip),
      caller: callerOf(ctx),
      knownDeviceFor: (email) => knownDeviceOf(installation, ctx, email),
    };
    if (ctx.method === 'GET') return show(ctx, visit, screen);
    if (ctx.method !== 'POST' || !screen.submit)
      throw new errors.InvalidRequest('the page does not take that');

    const fields = await readForm(installation, ctx, interaction);
    await conclude(ctx, visit, screen, fields, await screen.submit(fields, visit, ctx));
  }

  async function show(ctx: Context, visit: Visit, screen: Screen): Promise<void> {
    const accountId = accountToldToChange(visit.interaction);
    if (accountId && screen === screens.get('sign-in')) {
      await new SignInService(installation).askForNewPassword(visit, accountId);
      return seeOther(ctx, `${baseOf(visit.interaction)}/new-password`);
    }
    sendPage(ctx, await screen.draw(stateOf(visit.interaction), visit, ctx));
  }

  async function conclude(
    ctx: Context,
    visit: Visit,
    screen: Screen,
    fields: URLSearchParams,
    outcome: Outcome,
  ) {
    const base = baseOf(visit.interaction);
    switch (outcome.kind) {
      case 'signed_in': {
        const { accountId, amr } = outcome;
        if (!amr.includes('fed')) await rememberDeviceOf(ctx, accountId);
        const login = { accountId, amr: [...amr] };
        return finishInteraction({ provider, installation }, ctx, visit.interaction, login);
      }
      case 'next':
        return seeOther(ctx, `${base}/${outcome.screen}`);
      case 'refused': {
        const state = {
          ...stateOf(visit.interaction),
          values: Object.fromEntries(fields),
          errors: outcome.errors,
        };
        return sendPage(ctx, await screen.draw(state, visit, ctx), 422);
      }
      case 'limited': {
        await pause(refusalMs);
        ctx.set('retry-after', String(Math.ceil(outcome.retryAfterMs / 1000)));
        const minutes = Math.max(1, Math.ceil(outcome.retryAfterMs / 60_000));
        return sendPage(ctx, limitedMessage({ minutes, backTo: base }), 429);
      }
    }
  }

  async function rememberDeviceOf(ctx: Context, accountId: string): Promise<void> {
    const account = await findAccountById(installation.database, accountId);
    if (account) rememberDevice(installation, ctx, account.email);
  }

  function stateOf(interaction: Interaction): ScreenState {
    const { standsInForGoogle: hasGoogle = false } = installation.options;
    return { base: baseOf(interaction), token: formTokenOf(installation, interaction), hasGoogle };
  }

  return async (ctx: Context, next: Next): Promise<unknown> => {
    const match = interactionPath.exec(ctx.path);
    if (!match) return next();
    try {
      return await serve(ctx, match[1] ?? '', match[2] ?? 'sign-in');
    } catch (error) {
      return sendError(installation, ctx, error as Error);
    }
  };
}

function screensOf(installation: Installation): Map<string, Screen> {
  const service = new SignInService(installation);
  const secondFactors = new SecondFactorService(installation);

  const code: Screen = {
    draw: async (state, visit) => {
      const step = await installation.pendingSteps.find(visit.interaction.uid);
      if (!isCodeStep(step)) throw new errors.SessionNotFound('no code is awaited');
      return codeScreen(state, { email: step.email });
    },
    submit: (fields, visit) => service.enterCode(visit, text(fields, 'code')),
  };
  const drawSignIn: Screen['draw'] = async (state, { interaction }) => {
    const hint = interaction.params.login_hint;
    const values = state.values ?? (typeof hint === 'string' ? { email: hint } : {});
    const passkey = hasPasskeys(installation) ? await passkeyOptions(installation, interaction) : undefined;
    return signInScreen({ ...state, values }, { again: againOf(interaction), passkey });
  };
  const screens: Record<string, Screen> = {
    'sign-in': {
      draw: drawSignIn,
      submit: (fields, visit) =>
        service.signIn(visit, { email: text(fields, 'email'), password: fields.get('password') ?? '' }),
    },
    passkey: {
      draw: drawSignIn,
      submit: (fields, visit) => service.signInWithPasskey(visit, fields.get('passkey') ?? ''),
    },
    'second-step': {
      draw: async (state, visit) => {
        const step = await service.findSecondStep(visit);
        if (!step) throw new errors.SessionNotFound('no second step is awaited');
        const { authenticatorSince, passkeys } = await secondFactors.find(step.account.id);
        const hasUsable = passkeys.length > 0 && hasPasskeys(installation);
        return secondStepScreen(state, {
          hasAuthenticator: authenticatorSince !== null,
          passkey: hasUsable ? await passkeyOptions(installation, visit.interaction, passkeys) : undefined,
        });
      },
      submit: (fields, visit) =>
        service.enterSecondStep(visit, { code: text(fields, 'code'), answer: fields.get('passkey') ?? '' }),
    },
    'sign-up': {
      draw: signUpScreen,
      submit: (fields, visit) => service.signUp(visit, personOf(fields), fields.get('password') ?? ''),
    },
    google: {
      draw: (state, _visit, ctx) =>
        googleScreen(state, {
          people: recallGooglePeople(installation, ctx),
          trustsAddresses: installation.trustsAddresses,
        }),
      submit: async (fields, visit, ctx) => {
        const outcome = await service.continueWithGoogle(visit, personOf(fields));
        if (outcome.kind === 'signed_in') rememberGooglePerson(ctx, personOf(fields));
        return outcome;
      },
    },
    forgot: installation.trustsAddresses
      ? {
          draw: noResetScreen,
          submit: () => {
            throw new errors.InvalidRequest('there is no mail relay to send a code with');
          },
        }
      : {
          draw: forgotScreen,
          submit: (fields, visit) => service.forgotPassword(visit, { email: text(fields, 'email') }),
        },
    code,
    resend: { draw: code.draw, submit: (_fields, visit) => service.resendCode(visit) },
    'new-password': {
      draw: async (state, visit) => newPasswordScreen(state, await accountChoosing(visit)),
      submit: async (fields, visit) =>
        service.chooseNewPassword(visit, await accountChoosing(visit), fields.get('password') ?? ''),
    },
  };
  if (!installation.options.standsInForGoogle) delete screens.google;
  return new Map(Object.entries(screens));

  async function accountChoosing(visit: Visit) {
    const account = await service.accountChoosingPassword(visit);
    if (!account) throw new errors.SessionNotFound('no new password is awaited');
    return account;
  }
}

/** The session is good and only the new password is missing. */
function accountToldToChange({ prompt, session }: Interaction): string | undefined {
  const isOnlyReason = prompt.reasons.length === 1 && prompt.reasons[0] === 'must_change_password';
  return isOnlyReason ? session?.accountId : undefined;
}

/** Why a person whom the client knows signs in again; undefined for a first sign-in. */
function againOf({ params, prompt }: Interaction): SignInAgain | undefined {
  // The library makes `prompt=login` of `max_age=0`; our own pages about an account ask with a longer age.
  if (params.prompt !== 'login' && !prompt.reasons.includes('max_age')) return undefined;
  return params.reason === 'session_ended' ? 'session_ended' : 'confirm';
}

function personOf(fields: URLSearchParams): PersonForm {
  return {
    email: text(fields, 'email'),
    firstName: text(fields, 'first_name'),
    lastName: text(fields, 'last_name'),
  };
}

function text(fields: URLSearchParams, name: string): string {
  return (fields.get(name) ?? '').trim().normalize('NFC');
}

function baseOf({ uid }: Interaction): string {
  return `/interaction/${uid}`;
}
