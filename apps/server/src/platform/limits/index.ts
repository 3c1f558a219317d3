export { type AllowanceStore, createAllowanceStore, createMemoryStore } from './allowances.store.ts';
export { type AttemptParts, requireAttempt, takeAttempt } from './attempts.ts';
export { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts';
export { type AllowanceAnswer, createSharedAllowance } from './shared-allowance.ts';
