/** The guide, in the order of its navigation. `file` is its text in `pages/`. */
export const guidePages = [
  { path: '/docs', file: 'quick-start', title: 'Quick start' },
  { path: '/docs/keys', file: 'keys', title: 'API keys' },
  { path: '/docs/lists', file: 'lists', title: 'Running lists' },
  { path: '/docs/verdicts', file: 'verdicts', title: 'Verdicts and reasons' },
  { path: '/docs/webhooks', file: 'webhooks', title: 'Webhooks' },
  { path: '/docs/assistants', file: 'assistants', title: 'Assistants' },
  { path: '/docs/errors', file: 'errors', title: 'Errors' },
  { path: '/docs/limits', file: 'limits', title: 'Limits' },
  { path: '/docs/sandbox', file: 'sandbox', title: 'Sandbox addresses' },
] as const;

export type GuidePage = (typeof guidePages)[number];
