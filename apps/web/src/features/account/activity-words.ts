import type { Activity, ActivityArea } from '@assay/contract';

export const areaWords: Readonly<Record<ActivityArea, string>> = {
  session: 'Sign-ins',
  password: 'Password',
  two_step: 'Two-step verification',
  api_key: 'API keys',
  webhook: 'Webhooks',
  plan: 'Plan',
  credits: 'Credits',
  export: 'Exports',
  deletion: 'Deletions',
  mailbox: 'Mailboxes',
  setting: 'Settings',
};

const byWords: Readonly<Record<Activity['by'], string>> = {
  customer: 'You',
  api_key: 'API key',
  assay: 'Assay',
};

/** What it was done to. A list whose name was removed with the list is known by the start of its id. */
export const aboutWords = ({ about, list_id: listId }: Pick<Activity, 'about' | 'list_id'>): string | null =>
  about ?? (listId === null ? null : `List ${listId.slice(0, 8)}`);

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
