export { type AllowanceStore, createAllowanceStore } from './allowances.store.ts';
export { type AttemptParts, requireAttempt, takeAttempt } from './attempts.ts';
export { lockCustomer } from './lock-customer.ts';
export { createPlaces, type Places } from './places.ts';
export { type AllowanceAnswer, createSharedAllowance } from './shared-allowance.ts';
