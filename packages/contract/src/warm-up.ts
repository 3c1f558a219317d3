import * as z from 'zod/mini';
import { dateTimeSchema, nothingSchema } from './fields.ts';
import { MAILBOX_PROVIDERS } from './names/mailbox-providers.ts';
import { defineRoute } from './route.ts';

/** The path that a provider redirects the browser to, below the public origin. */
export const OAUTH_CALLBACK_PATH = '/oauth/callback';

export const mailboxCredentialSchema = z.object({
  email: z.string(),
  provider: z.enum(MAILBOX_PROVIDERS),
  /** ENDED: the provider refuses it, because the consent was revoked there. Connecting again repairs it. */
  status: z.enum(['CONNECTED', 'ENDED']),
  creation_date: dateTimeSchema,
  /** The URL where its owner withdraws consent; null if removing it here does that too. */
  consent_url: z.nullable(z.string()),
});
export type MailboxCredential = z.output<typeof mailboxCredentialSchema>;

const providerParams = z.strictObject({ provider: z.enum(['google', 'microsoft']) });
const accountQuery = z.strictObject({
  accountEmail: z.string().check(z.trim(), z.minLength(1), z.maxLength(320)),
});

export const warmUpRoutes = {
  authorize: defineRoute({
    method: 'GET',
    path: '/warm-up/oauth/:provider/authorize',
    auth: 'user',
    leastRole: 'member',
    tag: 'Warm Up',
    summary: 'Get the URL where the owner grants access to a mailbox',
    params: providerParams,
    success: { status: 200, schema: z.object({ authorizationUrl: z.string() }) },
  }),
  finishAuthorization: defineRoute({
    method: 'POST',
    path: '/warm-up/oauth/:provider/callback',
    auth: 'user',
    leastRole: 'member',
    tag: 'Warm Up',
    summary: 'Connect the mailbox with the code and state from the provider',
    params: providerParams,
    isForm: true,
    body: z.strictObject({
      code: z.string().check(z.minLength(1), z.maxLength(4_096)),
      state: z.string().check(z.minLength(1), z.maxLength(512)),
    }),
    success: { status: 200, schema: mailboxCredentialSchema },
  }),
  listCredentials: defineRoute({
    method: 'GET',
    path: '/warm-up/oauth/credentials',
    auth: 'user',
    leastRole: 'member',
    tag: 'Warm Up',
    summary: 'List the connected mailboxes',
    success: { status: 200, schema: z.object({ credentials: z.array(mailboxCredentialSchema) }) },
  }),
  removeCredential: defineRoute({
    method: 'DELETE',
    path: '/warm-up/oauth/credentials',
    auth: 'user',
    leastRole: 'member',
    tag: 'Warm Up',
    summary: 'Disconnect a mailbox and revoke its access',
    query: accountQuery,
    success: { status: 204, schema: nothingSchema },
  }),
  removeProviderCredential: defineRoute({
    method: 'DELETE',
    path: '/warm-up/:provider/oauth/credentials',
    auth: 'user',
    leastRole: 'member',
    tag: 'Warm Up',
    summary: 'Disconnect a mailbox of one provider and revoke its access',
    params: providerParams,
    query: accountQuery,
    success: { status: 204, schema: nothingSchema },
  }),
  removeAllCredentials: defineRoute({
    method: 'DELETE',
    path: '/warm-up/oauth/credentials/all',
    auth: 'user',
    leastRole: 'member',
    tag: 'Warm Up',
    summary: 'Disconnect every mailbox and revoke its access',
    success: { status: 204, schema: nothingSchema },
  }),
};
