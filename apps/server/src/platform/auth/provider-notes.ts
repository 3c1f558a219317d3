import { ACCESS_TOKEN_SECONDS_MAX } from '@assay/contract';
import type { Logger } from '../logging/index.ts';
import type { AcceptedToken } from './bearer.ts';

/** Tells the operator, once per process, what the provider's tokens make weaker than it should be. */
export function watchProvider(logger: Logger): (token: AcceptedToken) => void {
  const told = new Set<string>();
  const warnOnce = (fields: object, text: string) => {
    if (told.has(text)) return;
    told.add(text);
    logger.warn(fields, text);
  };
  return ({ lifeSeconds, tellsSignIn, tellsSession }) => {
    if (lifeSeconds > ACCESS_TOKEN_SECONDS_MAX) {
      warnOnce(
        { life_seconds: lifeSeconds, advised_seconds: ACCESS_TOKEN_SECONDS_MAX },
        'access tokens of the identity provider live longer than advised: shorten them there',
      );
    }
    if (!tellsSignIn) {
      warnOnce(
        {},
        'access tokens carry no auth_time: customers can neither reveal secrets nor delete their account',
      );
    }
    if (!tellsSession) {
      warnOnce({}, 'access tokens carry no sid: signing out ends only the token in use, not its session');
    }
  };
}
