/** The pages of the reference, verification first. Each shows the calls of one tag of the contract. */
export const referenceSections = [
  { path: '/docs/reference/single-checks', title: 'Single checks' },
  { path: '/docs/reference/lists', title: 'Lists' },
  { path: '/docs/reference/files', title: 'Files' },
  { path: '/docs/reference/results', title: 'Results and downloads' },
  { path: '/docs/reference/bounces', title: 'Bounces' },
  { path: '/docs/reference/outcomes', title: 'Outcomes' },
  { path: '/docs/reference/suppressions', title: 'Suppressions' },
  { path: '/docs/reference/feeds', title: 'Feeds' },
  { path: '/docs/reference/guessing', title: 'Guessing' },
  { path: '/docs/reference/billing', title: 'Billing' },
  { path: '/docs/reference/webhooks', title: 'Webhooks' },
  { path: '/docs/reference/api-keys', title: 'API keys' },
  { path: '/docs/reference/account', title: 'Account' },
  { path: '/docs/reference/status', title: 'Status' },
  { path: '/docs/reference/warm-up', title: 'Warm Up' },
] as const;

export type ReferenceSection = (typeof referenceSections)[number];

export const REFERENCE_PATH = '/docs/reference';
