export { type AttemptParts, requireAttempt } from './attempts.ts';
