export { type AttemptParts, requireAttempt, takeAttempt } from './attempts.ts';
