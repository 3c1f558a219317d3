/** What happened to a mail after it was sent. */
export const OUTCOME_KINDS = [
  'hard',
  'soft',
  'block',
  'complaint',
  'unsubscribed',
  'auto_reply',
  'delivered',
  'not_sent',
  'unclear',
] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** What a sender may report. With a reply in `detail`, the reply decides; `bounce` leaves it to the reply alone. */
export const REPORTED_KINDS = [
  'delivered',
  'bounce',
  'hard',
  'soft',
  'block',
  'complaint',
  'unsubscribed',
  'auto_reply',
  'not_sent',
] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

/** Which way an outcome came. */
export const OUTCOME_SOURCES = [
  'api',
  'file',
  'mailbox',
  'sendgrid',
  'mailgun',
  'postmark',
  'ses',
  'brevo',
  'resend',
  'mandrill',
  'sparkpost',
] as const;
export type OutcomeSource = (typeof OUTCOME_SOURCES)[number];

/** What happened, as it stands in front of a day: `bounced Nov 20`. */
export const OUTCOME_VERBS: Readonly<Record<OutcomeKind, string>> = {
  hard: 'bounced',
  soft: 'delayed',
  block: 'blocked',
  complaint: 'complained',
  unsubscribed: 'unsubscribed',
  auto_reply: 'answered',
  delivered: 'delivered',
  not_sent: 'not sent',
  unclear: 'bounced',
};

/** Their reason says the same again. */
export const OUTCOMES_WITHOUT_REASON: ReadonlySet<OutcomeKind> = new Set([
  'delivered',
  'unsubscribed',
  'auto_reply',
]);

export const OUTCOMES = {
  atOnceMax: 10_000,
  detailLengthMax: 2_000,
  eventIdLengthMax: 200,
  /** Of an account. Older ones are deleted. */
  keptMax: 10_000_000,
} as const;

export const OUTCOME_FILES = {
  bytesMax: 10_000_000,
  /** Rows of a table, or mails. */
  rowsMax: 100_000,
  examplesMax: 10,
  problemsNamedMax: 20,
} as const;
