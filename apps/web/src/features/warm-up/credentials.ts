import { MAILBOX_PROVIDERS, type MailboxProvider } from '@assay/contract';
import { isRecord } from './records.ts';
import { webUrlOf } from './web-url.ts';

export interface AuthorizedCredential {
  readonly email: string;
  readonly provider: MailboxProvider | 'UNKNOWN';
  /** The provider no longer accepts it: it has to be connected again. */
  readonly isEnded: boolean;
  /** Where its owner withdraws consent, when removing it here does not do that. */
  readonly consentUrl: string | null;
}

const listNames = ['credentials', 'emails', 'items', 'data'] as const;
const addressNames = ['accountEmail', 'account_email', 'email', 'address'] as const;

/** Reads the list in any of the forms that warm-up services answer it in. What names no address is left out. */
export function readCredentials(answer: unknown): AuthorizedCredential[] {
  return listIn(answer).flatMap((entry) => {
    const credential = typeof entry === 'string' ? { email: entry } : entry;
    return isRecord(credential) ? readCredential(credential) : [];
  });
}

function listIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (!isRecord(answer)) return [];
  const lists = listNames.map((name) => answer[name]);
  return lists.find((list) => Array.isArray(list)) ?? [];
}

function readCredential(entry: Record<string, unknown>): AuthorizedCredential[] {
  const email = addressNames.map((name) => entry[name]).find(isFilledText);
  if (email === undefined) return [];
  return [
    {
      email: email.trim(),
      provider: readProvider(entry.provider),
      isEnded: entry.status === 'ENDED',
      consentUrl: webUrlOf(entry.consent_url),
    },
  ];
}

function readProvider(value: unknown): AuthorizedCredential['provider'] {
  const name = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return MAILBOX_PROVIDERS.find((provider) => provider === name) ?? 'UNKNOWN';
}

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
