import { safeSourceUrl } from '../navigation/source-url.ts';
import type { Identity, SignOutLanding } from './identity.ts';
import type { SessionManager } from './session-manager.ts';

/** The ways out of the app to the identity provider, and back in. */
export interface Doors {
  /** Leaves for the provider; the person comes back to `returnTo`. Resolves never: the page is going away. */
  signIn(returnTo: string): Promise<never>;
  /** Forgets the session here and ends it at the provider. Resolves never. */
  signOut(landing?: SignOutLanding): Promise<never>;
  /** Finishes a trip that came back to `/redirect` and tells which page to go on to. */
  comeBack(url: string): Promise<string>;
}

interface DoorsOptions {
  readonly identity: Identity;
  readonly session: SessionManager;
  /** Sends the browser away. */
  readonly leaveFor: (url: string) => void;
  /** Clears what this browser keeps about the person besides the session. */
  readonly forgetPerson: () => void;
}

const HOME = '/';

export function createDoors({ identity, session, leaveFor, forgetPerson }: DoorsOptions): Doors {
  // Whoever asks to leave while the page is already going away waits with the first.
  let leaving: Promise<never> | undefined;
  function leave(findUrl: () => Promise<string>): Promise<never> {
    // Not begun before it is noted: ending the session is told to the guards at once, and they would leave as well.
    leaving ??= Promise.resolve()
      .then(findUrl)
      .then(
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

  async function endSession(landing: SignOutLanding): Promise<string> {
    const ending = session.current();
    forgetPerson();
    // Two tabs may be told to sign out at once: the second finds nothing left to end.
    if (!session.end()) return identity.signInUrl(landing);
    // A provider that cannot be asked must not keep anyone signed in here.
    return identity.signOutUrl(ending, landing).catch(() => landing);
  }

  async function finishTrip(url: string): Promise<string> {
    const query = new URL(url).searchParams;
    if (!query.has('code') && !query.has('error')) return query.get('to') ?? HOME;

    const { session: begun, returnTo } = await identity.completeSignIn(url);
    session.begin(begun);
    return returnTo;
  }

  return {
    signIn: (returnTo) => leave(() => identity.signInUrl(returnTo)),
    signOut: (landing = HOME) => leave(() => endSession(landing)),
    async comeBack(url) {
      return safeSourceUrl(await finishTrip(url)) ?? HOME;
    },
  };
}
