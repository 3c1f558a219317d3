export { requireAttempt } from './attempts.ts';
