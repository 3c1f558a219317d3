import { safeSourceUrl } from '../navigation/source-url.ts';
import type { Identity, SignInReason, SignOutLanding } from './identity.ts';
import { emailOf } from './session-email.ts';
import type { SessionManager } from './session-manager.ts';

/** The ways out of the app to the identity provider, and back in. */
export interface SignInTrips {
  /** Leaves for the provider; the person comes back to `returnTo`. Resolves never: the page is going away. */
  signIn(returnTo: string): Promise<never>;
  /** The same for a person who is known, but must prove who they are: a new sign-in, whatever the provider remembers. */
  signInAgain(returnTo: string, reason: SignInReason): Promise<never>;
  /**
   * Forgets the session here and ends it at the provider. Resolves only when there is no session left to end, because
   * another tab is ending it.
   */
  signOut(landing?: SignOutLanding): Promise<void>;
  /** The page is going away: what it shows until then does not matter. */
  isLeaving(): boolean;
  /** Finishes a trip that came back to `/redirect` and tells which page to go on to. */
  comeBack(url: string): Promise<string>;
}

interface SignInTripsOptions {
  readonly identity: Identity;
  readonly session: SessionManager;
  /** Sends the browser away. */
  readonly leaveFor: (url: string) => void;
  /** Clears what this browser keeps about the person besides the session. */
  readonly forgetPerson: () => void;
  /** Tells the API that this session ends, so that it refuses the token from then on; gives up after a moment. */
  readonly endAtApi: () => Promise<unknown>;
}

const HOME = '/';

export function createSignInTrips({
  identity,
  session,
  leaveFor,
  forgetPerson,
  endAtApi,
}: SignInTripsOptions): SignInTrips {
  // A second call while the page is leaving gets the first call's promise.
  let leaving: Promise<never> | undefined;
  function leave(findUrl: () => Promise<string>): Promise<never> {
    leaving ??= findUrl().then(
      (url) => {
        leaveFor(url);
        return new Promise<never>(() => {});
      },
      (error: unknown) => {
        leaving = undefined;
        throw error;
      },
    );
    return leaving;
  }

  async function signOut(landing: SignOutLanding = HOME): Promise<void> {
    const ending = session.current();
    if (!ending) return;
    await leave(async () => {
      // Listeners of the session's end ask `isLeaving` at once, so `leaving` must be set before the session ends.
      await Promise.resolve();
      await endAtApi().catch(() => {});
      forgetPerson();
      session.end();
      // A provider that cannot be asked must not keep anyone signed in here.
      return identity.signOutUrl(ending, landing).catch(() => landing);
    });
  }

  async function finishTrip(url: string): Promise<string> {
    const query = new URL(url).searchParams;
    if (!query.has('code') && !query.has('error')) return query.get('to') ?? HOME;

    const { session: begun, returnTo } = await identity.completeSignIn(url);
    // Also without a session: after a sign-out in another tab, this tab still keeps data of the previous person.
    if (session.current()?.subject !== begun.subject) forgetPerson();
    session.begin(begun);
    return returnTo;
  }

  return {
    signIn: (returnTo) => leave(() => identity.signInUrl(returnTo)),
    signInAgain: (returnTo, reason) =>
      leave(() => {
        const current = session.current();
        if (!current) return identity.signInUrl(returnTo);
        return identity.signInUrl(returnTo, {
          subject: current.subject,
          loginHint: emailOf(current),
          reason,
        });
      }),
    signOut,
    isLeaving: () => leaving !== undefined,
    async comeBack(url) {
      return safeSourceUrl(await finishTrip(url)) ?? HOME;
    },
  };
}
