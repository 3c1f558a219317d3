export type { FailingCall } from './http/failures.ts';
export type { StoredEvent as PaymentsEvent } from './objects.ts';
export { type Payments, type PaymentsOptions, startPayments } from './payments.ts';
