/** Room for a provider that is away for a while. */
const marginSeconds = 600;

/** When to ask for new tokens: well before the present ones expire, however short-lived they are. */
export const refreshTime = (now: Date, lifeSeconds: number): Date =>
  new Date(now.getTime() + (lifeSeconds - Math.min(marginSeconds, lifeSeconds / 2)) * 1_000);
