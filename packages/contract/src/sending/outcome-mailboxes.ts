import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema } from '../fields.ts';
import { MAILBOX_TROUBLES, type MailboxTrouble, OUTCOME_MAILBOXES } from '../names/outcome-mailbox-names.ts';
import { defineRoute } from '../route.ts';

const text = (what: string) =>
  z
    .string()
    .check(
      z.minLength(1, `${what} required`),
      z.maxLength(
        OUTCOME_MAILBOXES.textLengthMax,
        `${what} requires no more than ${OUTCOME_MAILBOXES.textLengthMax} characters`,
      ),
    );

const hostSchema = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(OUTCOME_MAILBOXES.textLengthMax),
    z.regex(
      /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
      'Enter the name of the host, such as imap.example.com',
    ),
  );

export const outcomeMailboxSchema = z.object({
  id: idSchema,
  host: z.string(),
  user_name: z.string(),
  folder: z.string(),
  /** Why it cannot be read; null if it can. */
  trouble: z.nullable(z.enum(Object.keys(MAILBOX_TROUBLES) as [MailboxTrouble, ...MailboxTrouble[]])),
  last_read_date: z.nullable(dateTimeSchema),
  read_mails: z.number(),
  found_outcomes: z.number(),
  creation_date: dateTimeSchema,
});
export type OutcomeMailbox = z.output<typeof outcomeMailboxSchema>;

const params = z.strictObject({ id: idSchema });
const call = { auth: 'user_or_key', keyScope: 'manage_feeds', leastRole: 'admin', tag: 'Outcomes' } as const;

export const outcomeMailboxesRoutes = {
  listMailboxes: defineRoute({
    ...call,
    method: 'GET',
    path: '/outcomes/mailboxes',
    summary: 'List the mailboxes that receive your bounces, oldest first',
    success: { status: 200, schema: z.object({ results: z.array(outcomeMailboxSchema) }) },
  }),
  connectMailbox: defineRoute({
    ...call,
    method: 'POST',
    path: '/outcomes/mailboxes',
    summary: 'Connect a mailbox that receives your bounces, by IMAP with TLS',
    body: z.strictObject({
      host: hostSchema,
      user_name: text('User name'),
      password: text('Password'),
      folder: z._default(text('Folder'), 'INBOX'),
    }),
    success: { status: 201, schema: outcomeMailboxSchema },
  }),
  updateMailbox: defineRoute({
    ...call,
    method: 'PUT',
    path: '/outcomes/mailboxes/:id',
    summary: 'Give another password of the mailbox',
    params,
    body: z.strictObject({ password: text('Password') }),
    success: { status: 200, schema: outcomeMailboxSchema },
  }),
  deleteMailbox: defineRoute({
    ...call,
    method: 'DELETE',
    path: '/outcomes/mailboxes/:id',
    summary: 'Disconnect the mailbox; what it brought stays',
    params,
    success: { status: 204, schema: nothingSchema },
  }),
};
