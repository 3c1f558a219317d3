export { type Authentication, authenticateRequests, callerOf, missingScope } from './authenticate.ts';
export { createBearerVerifier, type VerifyBearer } from './bearer.ts';
export type { Customer } from './customer.ts';
export { connectIssuer } from './issuer.ts';
export { watchProvider } from './provider-notes.ts';
export { hasSignedInRecently, requireRecentSignIn } from './recent-sign-in.ts';
export { rememberTokens } from './remember-tokens.ts';
export { type Profile, type Subject, sessionKeyOf } from './subject.ts';
