/** Senders that post what became of mails, by their names. */
export const FEED_SENDERS = {
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
  postmark: 'Postmark',
  ses: 'Amazon SES',
  brevo: 'Brevo',
  resend: 'Resend',
  mandrill: 'Mandrill',
  sparkpost: 'SparkPost',
} as const;
export type FeedSender = keyof typeof FEED_SENDERS;

/**
 * Whose secret proves the events: the sender has a key with which it signs them, or we make one that the sender sends along, where it
 * signs nothing. Amazon signs too, but for every customer of AWS alike.
 */
export const FEED_SECRET_OF = {
  sendgrid: 'sender',
  mailgun: 'sender',
  postmark: 'ours',
  ses: 'ours',
  brevo: 'ours',
  resend: 'sender',
  mandrill: 'sender',
  sparkpost: 'ours',
} as const satisfies Readonly<Record<FeedSender, 'sender' | 'ours'>>;

/** The user name where a sender asks for one beside the secret. */
export const FEED_USER = 'assay';

export const FEEDS = { countMax: 20, keyLengthMax: 500 } as const;

/** Why events were refused, in words that say what to do. */
export const FEED_REFUSALS = {
  no_key: 'The key of the sender is missing. Add it here.',
  not_genuine: 'The signature or the secret was missing or wrong. Compare it with the one at your sender.',
  too_old: 'The signature was too old. Your sender will not send these events again.',
  repeated_signature:
    'A signature came a second time with other events. Somebody may have read your events on the way.',
  wrong_topic: 'The events are of another SNS topic than the one given here.',
  raw_delivery: 'SNS sent the events without its signature. Turn raw message delivery off.',
  confirmation_failed: 'Amazon did not confirm the subscription. Request the confirmation again in SNS.',
  not_readable: 'The body was no event of this sender.',
  too_many: 'More came at once than a feed takes. Your sender sends these events again.',
  too_large: 'The body was larger than 5 MB.',
  without_recipient: 'The event names no recipient or no date.',
} as const;
export type FeedRefusal = keyof typeof FEED_REFUSALS;
