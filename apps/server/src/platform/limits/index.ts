export { type AttemptParts, requireAttempt, takeAttempt } from './attempts.ts';
export { createPlaces, type Places } from './places.ts';
