/** Time for retries while a provider is down. */
const marginSeconds = 600;

/** When to refresh tokens: well before they expire, also if they are short-lived. */
export const refreshTime = (now: Date, lifeSeconds: number): Date =>
  new Date(now.getTime() + (lifeSeconds - Math.min(marginSeconds, lifeSeconds / 2)) * 1_000);
