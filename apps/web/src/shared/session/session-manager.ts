import { ServiceUnavailableError, UnauthorizedError } from '@assay/client';
import { type Identity, SessionRefused } from './identity.ts';
import { isExpired, isRefreshDue, refreshDueAt, type Session } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** Lets one tab at a time run the task, the others after it. */
type ShareLock = <Result>(task: () => Promise<Result>) => Promise<Result>;

export interface SessionManager {
  /** The session of this tab's person. Nothing when they signed out, or when another person signed in. */
  current(): Session | undefined;
  /** The session of another person who signed in, in another tab, while this one showed the first one's pages. */
  takenOverBy(): Session | undefined;
  subscribe(listener: () => void): () => void;
  /** A valid token, renewed in time; undefined when signed out. */
  getToken(): Promise<string | undefined>;
  /** A newer token than the refused one. Undefined when the provider gives none; the session then ends. */
  renewToken(refused: string): Promise<string | undefined>;
  begin(session: Session): void;
  /** Raises the flag that ends the session in every tab. */
  forceLogout(): void;
  end(): void;
  /** Milliseconds until the token should be renewed; undefined when signed out. */
  msUntilRefresh(): number | undefined;
}

interface SessionManagerOptions {
  readonly store: SessionStore;
  readonly identity: Pick<Identity, 'refresh'>;
  readonly shareLock: ShareLock;
  readonly nowSeconds: () => number;
}

export const SESSION_ENDED_CODE = 'session_ended';

/** A call that is made while the session ends is not worth sending. */
function refuseCall(): never {
  throw new UnauthorizedError({
    http_status: 401,
    code: SESSION_ENDED_CODE,
    message: 'Your session has ended',
  });
}

/** See docs/decisions/web-session.md. */
export function createSessionManager({
  store,
  identity,
  shareLock,
  nowSeconds,
}: SessionManagerOptions): SessionManager {
  /** Whose pages this tab shows, from its first session until the page is loaded anew. Nothing is done as anyone else. */
  let owner: string | undefined;
  const ownSession = (): Session | undefined => {
    const session = store.read();
    owner ??= session?.subject;
    return session?.subject === owner ? session : undefined;
  };
  const takenOverBy = (): Session | undefined => {
    const session = store.read();
    return owner === undefined || session?.subject === owner ? undefined : session;
  };

  const liveSession = (): Session | undefined => {
    const session = ownSession();
    return session?.forced_logout ? undefined : session;
  };

  /** Keeps only the subject and the flag: the tokens are no longer valid. */
  const forceLogout = (): void => {
    const session = ownSession();
    if (!session) return;
    const { subject } = session;
    store.write({ user_access_token: '', obtained_at: 0, expires_at: 0, subject, forced_logout: true });
  };

  function renewToken(refused: string): Promise<string | undefined> {
    return shareLock(async () => {
      const session = liveSession();
      // While this tab waited its turn, another one renewed the token, or signed out.
      if (session?.user_access_token !== refused) return session?.user_access_token;
      try {
        return keep(await identity.refresh(session), refused);
      } catch (error) {
        if (!(error instanceof SessionRefused)) {
          throw new ServiceUnavailableError({ message: 'Your session could not be renewed', cause: error });
        }
        forceLogout();
        return undefined;
      }
    });
  }

  /** A sign-out during the exchange wins. */
  function keep(renewed: Session, replacing: string): string | undefined {
    const session = liveSession();
    if (session?.user_access_token !== replacing) return session?.user_access_token;
    store.write(renewed);
    return renewed.user_access_token;
  }

  // Calls that find the token due at the same moment wait for one renewal.
  let renewal: Promise<string | undefined> | undefined;
  const renewOnce = (token: string): Promise<string | undefined> => {
    renewal ??= renewToken(token).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  return {
    current: ownSession,
    takenOverBy,
    subscribe: store.subscribe,
    async getToken() {
      const session = liveSession();
      if (takenOverBy()) refuseCall();
      if (!session) return undefined;
      const { user_access_token: token } = session;
      if (isExpired(session, nowSeconds())) return (await renewOnce(token)) ?? refuseCall();
      // The token is still valid: renew it in the background; the next call tries again if that fails.
      if (isRefreshDue(session, nowSeconds())) renewOnce(token).catch(() => {});
      return token;
    },
    renewToken,
    begin(session) {
      owner = session.subject;
      store.write(session);
    },
    forceLogout,
    end: store.clear,
    msUntilRefresh() {
      const session = liveSession();
      return session && Math.max(0, (refreshDueAt(session) - nowSeconds()) * 1000);
    },
  };
}
