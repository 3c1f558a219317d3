/** A signed-in person, as this browser remembers them. Instants are in seconds since 1970, as tokens count. */
export interface Session {
  readonly user_access_token: string;
  /** When this token was received; with `expires_at` it tells how long the issuer lets one live. */
  readonly obtained_at: number;
  readonly expires_at: number;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
  readonly scope?: string | undefined;
  /** The issuer's name for the person. */
  readonly subject: string;
  /** Set when the session is over; the app then asks the person to sign in again. */
  readonly forced_logout?: boolean | undefined;
}

const REFRESH_WINDOW_SECONDS = 3_600;

/** Due within an hour of the end; for tokens that live shorter than two hours, within their second half. */
export const isRefreshDue = (session: Session, nowSeconds: number): boolean =>
  nowSeconds >= refreshDueAt(session);

export function refreshDueAt(session: Session): number {
  const lifeSeconds = session.expires_at - session.obtained_at;
  return session.expires_at - Math.min(REFRESH_WINDOW_SECONDS, lifeSeconds / 2);
}

export const isExpired = (session: Session, nowSeconds: number): boolean => nowSeconds >= session.expires_at;
