export type { FailingCall } from './http/failures.ts';
export { type Payments, type PaymentsOptions, startPayments } from './payments.ts';
export type { StoredEvent as PaymentsEvent } from './store/tables.ts';
