// The first characters of secrets, so that people and scanners recognise a leaked one.

export const KEY_PREFIXES = { live: 'assay_live_', test: 'assay_test_' } as const;

/** Of the key with all scopes. */
export const API_KEY_PREFIX = KEY_PREFIXES.live;

/** Of signing secrets, as in the Standard Webhooks specification. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Of secrets that senders of feeds send along. */
export const FEED_SECRET_PREFIX = 'assay_feed_';
