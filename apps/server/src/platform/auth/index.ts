export {
  type Authentication,
  authenticateRequests,
  callerOfKey,
  missingScope,
  sourceOf,
} from './authenticate.ts';
export { createBearerVerifier, type VerifyBearer } from './bearer.ts';
export { type Caller, type CallSource, type Person, roleOfKeys } from './caller.ts';
export { connectIssuer } from './issuer.ts';
export { watchProvider } from './provider-notes.ts';
export { hasSignedInRecently, requireRecentSignIn } from './recent-sign-in.ts';
export { rememberTokens } from './remember-tokens.ts';
export { type Profile, type Subject, sessionKeyOf } from './subject.ts';
