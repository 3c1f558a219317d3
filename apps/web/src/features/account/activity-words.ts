import type { Activity, ActivityArea } from '@assay/contract';

export const areaWords: Readonly<Record<ActivityArea, string>> = {
  session: 'Sign-ins',
  password: 'Password',
  two_step: 'Two-step verification',
  api_key: 'API keys',
  webhook: 'Webhooks',
  feed: 'Feeds',
  plan: 'Plan',
  credits: 'Credits',
  export: 'Exports',
  deletion: 'Deletions',
  mailbox: 'Mailboxes',
  suppression: 'Suppressions',
  outcome: 'Outcomes',
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
