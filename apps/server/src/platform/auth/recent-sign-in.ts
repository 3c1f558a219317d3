import { RECENT_SIGN_IN_SECONDS } from '@assay/contract';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors/index.ts';
import type { Caller } from './caller.ts';

/** Clocks disagree by seconds. A time further ahead is a provider's mistake, such as milliseconds, and would be recent for ever. */
const aheadMsMax = 60_000;

/** Whether the person proved who they are in the last minutes. A token that does not say when is not recent. */
export function hasSignedInRecently({ subject }: Pick<Caller, 'subject'>, clock: Clock): boolean {
  if (!subject?.signedInAt) return false;
  const ageMs = clock.now().getTime() - subject.signedInAt.getTime();
  return ageMs >= -aheadMsMax && ageMs <= RECENT_SIGN_IN_SECONDS * 1_000;
}

/** For what a stolen session must not do: show or make secrets, take all data away, delete the account. */
export function requireRecentSignIn(caller: Caller, clock: Clock): void {
  if (hasSignedInRecently(caller, clock)) return;
  throw new AppError(
    'sign_in_again',
    { userId: caller.userId, tellsSignIn: Boolean(caller.subject?.signedInAt) },
    { meta: { max_age: RECENT_SIGN_IN_SECONDS } },
  );
}
