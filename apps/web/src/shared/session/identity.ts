import type { Session } from './session.ts';

/** The pages that a signed-out visitor may land on; the provider knows both of them by name. */
export type SignOutLanding = '/' | '/goodbye';

/** What the app asks of an identity provider. */
export interface Identity {
  /** The address to send the browser to; the person comes back to `returnTo`. */
  signInUrl(returnTo: string, again?: SignInAgain): Promise<string>;
  /** Exchanges what the sign-in trip brought back for a session. */
  completeSignIn(url: string): Promise<{ session: Session; returnTo: string }>;
  /** Rejects with SessionRefused when the session is over, with anything else when the provider could not be asked. */
  refresh(session: Session): Promise<Session>;
  signOutUrl(session: Session | undefined, landing: SignOutLanding): Promise<string>;
}

/** Why a known person signs in again, which the embedded provider's page says: other providers ignore it. */
export type SignInReason = 'session_ended' | 'confirm';

/** Asks a person whom we know to prove anew who they are, even if the provider still knows them. */
interface SignInAgain {
  /** Another person who signs in instead starts on the first page. */
  readonly subject: string;
  readonly loginHint: string | undefined;
  readonly reason: SignInReason;
}

/** The provider's last word about a session: asking again would give the same answer. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused';
}

/** Most visits begin signed in and never speak to the provider: its code is loaded with the first question. */
export function loadIdentityLater(load: () => Promise<Identity>): Identity {
  let loaded: Promise<Identity> | undefined;
  const identity = (): Promise<Identity> => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    signInUrl: async (...given) => (await identity()).signInUrl(...given),
    completeSignIn: async (...given) => (await identity()).completeSignIn(...given),
    refresh: async (...given) => (await identity()).refresh(...given),
    signOutUrl: async (...given) => (await identity()).signOutUrl(...given),
  };
}
