export { type Mailboxes, type MailboxesOptions, startMailboxes } from './mailboxes.ts';
