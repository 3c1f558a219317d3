/**
 * The features of the server, the lowest row first. A feature may import features of lower rows and name their tables, never
 * those of its own row or a higher one.
 */
export const featureRows: readonly (readonly string[])[] = [
  ['accounts', 'activity'],
  ['assistants', 'billing', 'bounces', 'docs', 'engine', 'realtime', 'webhooks'],
  ['users'],
  ['support', 'uploads', 'warmup'],
  ['suppressions'],
  ['lists', 'outcomes'],
  ['feeds', 'verification', 'guessing'],
  ['records', 'notices'],
  ['operator'],
  ['recovery'],
];
