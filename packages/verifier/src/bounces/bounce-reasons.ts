import type { Reason } from '../judgement/reasons.ts';

type BounceClass =
  | 'hard'
  | 'soft'
  | 'block'
  | 'complaint'
  | 'auto_reply'
  | 'delivered'
  | 'not_sent'
  | 'unclear';
/** Whom or what a bounce is about. */
type BounceSubject = 'mailbox' | 'domain' | 'sender' | 'message' | 'host' | 'unclear';
/** What the sender of the mail should do. */
type BounceAction = 'suppress' | 'retry' | 'fix_sender' | 'none';

/** The reasons of the engine that a reply can have. */
type ReplyReason = Extract<
  Reason,
  | 'mailbox_accepted'
  | 'host_will_not_say'
  | 'no_such_mailbox'
  | 'mailbox_disabled'
  | 'mailbox_full'
  | 'mailbox_full_for_good'
  | 'mailbox_busy'
  | 'mailbox_restricted'
  | 'message_refused'
  | 'blocked'
  | 'sender_refused'
  | 'throttled'
  | 'greylisted'
  | 'temporary_failure'
  | 'refused_unexplained'
>;
/** The reasons of the engine for what happens before a host replies. */
type RouteReason = Extract<Reason, 'no_such_domain' | 'no_mail_host' | 'dns_failed' | 'connection_timeout'>;

export type BounceReason =
  | ReplyReason
  | RouteReason
  | 'delivered'
  | 'delivery_delayed'
  | 'delivery_expired'
  | 'mail_loop'
  | 'message_too_large'
  | 'hard_bounce'
  | 'soft_bounce'
  | 'complaint'
  | 'unsubscribed'
  | 'not_spam'
  | 'authentication_report'
  | 'auto_reply'
  | 'suppressed_by_sender'
  | 'rejected_by_sender'
  | 'no_report';

interface BounceMeaning {
  readonly class: BounceClass;
  readonly subject: BounceSubject;
  readonly action: BounceAction;
}

const is = (bounceClass: BounceClass, subject: BounceSubject, action: BounceAction): BounceMeaning => ({
  class: bounceClass,
  subject,
  action,
});

/** What a reason means for the sender of a mail. docs/bounces.md explains each of them. */
export const bounceMeanings: Readonly<Record<BounceReason, BounceMeaning>> = {
  no_such_mailbox: is('hard', 'mailbox', 'suppress'),
  mailbox_disabled: is('hard', 'mailbox', 'suppress'),
  no_such_domain: is('hard', 'domain', 'suppress'),
  no_mail_host: is('hard', 'domain', 'suppress'),
  hard_bounce: is('hard', 'unclear', 'suppress'),

  mailbox_full: is('soft', 'mailbox', 'retry'),
  mailbox_full_for_good: is('soft', 'mailbox', 'retry'),
  mailbox_busy: is('soft', 'mailbox', 'retry'),
  message_too_large: is('soft', 'message', 'fix_sender'),
  throttled: is('soft', 'host', 'retry'),
  greylisted: is('soft', 'host', 'retry'),
  temporary_failure: is('soft', 'host', 'retry'),
  connection_timeout: is('soft', 'host', 'retry'),
  dns_failed: is('soft', 'domain', 'retry'),
  mail_loop: is('soft', 'host', 'retry'),
  delivery_delayed: is('soft', 'host', 'retry'),
  delivery_expired: is('soft', 'host', 'retry'),
  soft_bounce: is('soft', 'unclear', 'retry'),

  blocked: is('block', 'sender', 'fix_sender'),
  sender_refused: is('block', 'sender', 'fix_sender'),
  message_refused: is('block', 'message', 'fix_sender'),
  // The mailbox exists, and the sender can do nothing but ask its owner.
  mailbox_restricted: is('block', 'mailbox', 'none'),

  complaint: is('complaint', 'mailbox', 'suppress'),
  unsubscribed: is('complaint', 'mailbox', 'suppress'),
  auto_reply: is('auto_reply', 'mailbox', 'none'),
  delivered: is('delivered', 'mailbox', 'none'),
  mailbox_accepted: is('delivered', 'mailbox', 'none'),
  not_spam: is('delivered', 'mailbox', 'none'),
  // Mail that was never sent proves nothing about the mailbox.
  suppressed_by_sender: is('not_sent', 'sender', 'none'),
  rejected_by_sender: is('not_sent', 'sender', 'fix_sender'),

  authentication_report: is('unclear', 'sender', 'fix_sender'),
  host_will_not_say: is('unclear', 'unclear', 'none'),
  refused_unexplained: is('unclear', 'unclear', 'none'),
  no_report: is('unclear', 'unclear', 'none'),
};

export const isBounceReason = (reason: string): reason is BounceReason =>
  Object.hasOwn(bounceMeanings, reason);

/** What is known of one recipient. */
export interface BounceFinding {
  /** Null if the report names nobody. */
  readonly recipient: string | null;
  readonly class: BounceClass;
  readonly subject: BounceSubject;
  readonly action: BounceAction;
  readonly reason: BounceReason;
  /** The rule that decided, by its id. */
  readonly rule: string;
  /** The words that the finding rests on. */
  readonly words: string;
}

/** A finding before it is known whom it is about. */
export type BounceJudgement = Omit<BounceFinding, 'recipient'>;

const wordsCharactersMax = 1_000;

export const judgement = (reason: BounceReason, rule: string, words: string): BounceJudgement => ({
  ...bounceMeanings[reason],
  reason,
  rule,
  words: words.replace(/\s+/g, ' ').trim().slice(0, wordsCharactersMax),
});
