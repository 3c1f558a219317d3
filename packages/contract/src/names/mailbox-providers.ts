/** Providers whose mailboxes can be connected. Paths use lower case. */
export const MAILBOX_PROVIDERS = ['GOOGLE', 'MICROSOFT'] as const;
export type MailboxProvider = (typeof MAILBOX_PROVIDERS)[number];
