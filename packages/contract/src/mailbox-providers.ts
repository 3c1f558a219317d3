// Apart from warm-up.ts, whose schemas would otherwise be in the code of the Warm Up page.

/** Providers whose mailboxes can be connected. Paths use lower case. */
export const MAILBOX_PROVIDERS = ['GOOGLE', 'MICROSOFT'] as const;
export type MailboxProvider = (typeof MAILBOX_PROVIDERS)[number];
