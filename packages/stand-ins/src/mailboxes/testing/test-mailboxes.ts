import { createHash, randomBytes } from 'node:crypto';
import { type Page, Visitor } from '@assay/pages/testing/visitor';
import { createDatabase } from '@assay/postgres/testing/database';
import { type Mailboxes, type MailboxesOptions, startMailboxes } from '../index.ts';
import type { ProviderName } from '../providers.ts';

export const client = {
  id: 'assay-test',
  secret: 'a secret between the two',
  redirectUris: ['http://app.test/oauth/callback'],
  title: 'Assay',
};

const scopesOf: Record<ProviderName, string> = {
  google: 'https://www.googleapis.com/auth/gmail.modify',
  microsoft: 'offline_access User.Read Mail.ReadWrite Mail.Send',
};

export interface TestMailboxes extends Mailboxes {
  readonly databaseUrl: string;
  /** A person's browser at the authorization endpoint, sent there by the application. */
  authorize(provider: ProviderName, parameters?: Record<string, string>): Promise<Visit>;
  /** The token endpoint, asked by the application. */
  askForTokens(provider: ProviderName, fields: Record<string, string>): Promise<JsonAnswer>;
}

interface Visit {
  readonly page: Page;
  readonly verifier: string;
  answer(decision: 'allow' | 'deny'): Promise<Page>;
}

interface JsonAnswer {
  readonly status: number;
  readonly body: Record<string, string>;
}

export async function startTestMailboxes(options: Partial<MailboxesOptions> = {}): Promise<TestMailboxes> {
  const databaseUrl = options.databaseUrl ?? (await createDatabase());
  const mailboxes = await startMailboxes({ databaseUrl, client, ...options });
  return {
    ...mailboxes,
    databaseUrl,
    authorize: async (provider, parameters = {}) => {
      const visitor = new Visitor(mailboxes.origin);
      const verifier = randomBytes(32).toString('base64url');
      const url = new URL(mailboxes.addresses[provider].authorize);
      url.search = new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? '',
        response_type: 'code',
        scope: scopesOf[provider],
        state: 'the-state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(provider === 'google' && { access_type: 'offline', prompt: 'consent' }),
        ...parameters,
      }).toString();
      const page = await visitor.open(url);
      return { page, verifier, answer: (decision) => visitor.submit(page, { decision }) };
    },
    askForTokens: async (provider, fields) => {
      const response = await fetch(mailboxes.addresses[provider].token, {
        method: 'POST',
        body: new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...fields }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    },
  };
}

/** From consent to tokens. */
export async function connect(mailboxes: TestMailboxes, provider: ProviderName, address: string) {
  const visit = await mailboxes.authorize(provider, { login_hint: address });
  const back = await visit.answer('allow');
  const { body } = await mailboxes.askForTokens(provider, codeFields(back, visit.verifier));
  return body;
}

export const codeFields = (back: Page, verifier: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  code: back.url.searchParams.get('code') ?? '',
  redirect_uri: client.redirectUris[0] ?? '',
  code_verifier: verifier,
});
