export { type AttemptParts, requireAttempt, takeAttempt } from './attempts.ts';
export { lockCustomer } from './lock-customer.ts';
export { createPlaces, type Places } from './places.ts';
