export const OUTCOME_MAILBOXES = { countMax: 5, textLengthMax: 250 } as const;

/** Why a mailbox cannot be read, in words that say what to do. */
export const MAILBOX_TROUBLES = {
  not_reached: 'The host does not answer on port 993. Check its name, and that it offers IMAP with TLS.',
  not_allowed: 'The host is in a private network. Give the name of one on the internet.',
  certificate: 'The certificate of the host is not valid for this name.',
  sign_in: 'The host refuses the user name or password. Many providers want a password for apps.',
  folder: 'The mailbox has no such folder, or it cannot be opened.',
  slow: 'The host answers too slowly. We try again.',
  broken: 'The host broke off, or answered something that is no IMAP. We try again.',
} as const;
export type MailboxTrouble = keyof typeof MAILBOX_TROUBLES;
