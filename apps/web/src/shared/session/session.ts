import * as z from 'zod/mini';

/** A signed-in person, as this browser remembers them. Instants are in seconds since 1970, as tokens count. */
export const sessionSchema = z.object({
  user_access_token: z.string(),
  /** When this token was received; with `expires_at` it tells how long the issuer lets one live. */
  obtained_at: z.number(),
  expires_at: z.number(),
  refresh_token: z.optional(z.string()),
  id_token: z.optional(z.string()),
  scope: z.optional(z.string()),
  /** The issuer's name for the person. */
  subject: z.string(),
  /** Set when the session is over; the app then asks the person to sign in again. */
  forced_logout: z.optional(z.boolean()),
});
export type Session = z.output<typeof sessionSchema>;

const REFRESH_WINDOW_SECONDS = 3_600;

/** Due within an hour of the end; for tokens that live shorter than two hours, within their second half. */
export const isRefreshDue = (session: Session, nowSeconds: number): boolean =>
  nowSeconds >= refreshDueAt(session);

export function refreshDueAt(session: Session): number {
  const lifeSeconds = session.expires_at - session.obtained_at;
  return session.expires_at - Math.min(REFRESH_WINDOW_SECONDS, lifeSeconds / 2);
}

export const isExpired = (session: Session, nowSeconds: number): boolean => nowSeconds >= session.expires_at;
