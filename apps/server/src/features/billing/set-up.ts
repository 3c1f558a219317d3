// What prepares an account at the payment provider, without the rest of the feature.
export { setUpPayments, webhookEvents, webhookPath } from './payments/provider.ts';
