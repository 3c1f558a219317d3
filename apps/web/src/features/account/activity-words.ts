import type { Activity, ActivityArea, ActivityKind } from '@assay/contract';

export const areaWords: Readonly<Record<ActivityArea, string>> = {
  session: 'Sign-ins',
  password: 'Password',
  api_key: 'API keys',
  webhook: 'Webhooks',
  plan: 'Plan',
  export: 'Exports',
  deletion: 'Deletions',
  mailbox: 'Mailboxes',
  setting: 'Settings',
};

const kindWords: Readonly<Record<ActivityKind, string>> = {
  'session.started': 'Signed in',
  'session.others_ended': 'Signed out everywhere else',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'api_key.created': 'API key created',
  'api_key.changed': 'API key changed',
  'api_key.rolled': 'API key rolled',
  'api_key.revealed': 'API key revealed',
  'api_key.deleted': 'API key deleted',
  'webhook.created': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_replaced': 'Webhook secret replaced',
  'webhook.secret_revealed': 'Webhook secret revealed',
  'plan.portal_opened': 'Subscription page opened',
  'plan.changed': 'Plan changed',
  'plan.kept': 'Plan change undone',
  'export.created': 'Export created',
  'export.shared': 'Download link created',
  'export.revoked': 'Download link revoked',
  'export.account': 'Account data downloaded',
  'deletion.list': 'List deleted',
  'deletion.single': 'Single verifications deleted',
  'deletion.guess': 'Guesses deleted',
  'mailbox.connected': 'Mailbox connected',
  'mailbox.removed': 'Mailbox removed',
  'setting.retention': 'Retention changed',
};

/** A newer server may record a kind that this page does not know. */
export const kindWord = (kind: string): string =>
  (kindWords as Readonly<Record<string, string>>)[kind] ?? kind;

const byWords: Readonly<Record<Activity['by'], string>> = {
  customer: 'You',
  api_key: 'API key',
  assay: 'Assay',
};

/** What it was done to. A list whose name was removed with the list is known by the start of its id. */
export const aboutWords = ({ about, list_id: listId }: Pick<Activity, 'about' | 'list_id'>): string =>
  about ?? (listId === null ? '–' : `List ${listId.slice(0, 8)}`);

/** The key with all scopes has no name. */
export const whoWords = ({ by, api_key_name: name }: Pick<Activity, 'by' | 'api_key_name'>): string =>
  name === null ? byWords[by] : `${byWords[by]} ${name}`;

const browsers = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** A browser by its name and system; any other program as it calls itself. The whole text is in the downloaded file. */
export function programWords(agent: string | null): string {
  if (agent === null || agent === '') return '';
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined) return agent.slice(0, 60);
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
