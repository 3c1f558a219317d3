import { type CheckOutcome, OUTCOME_VERBS, OUTCOMES_WITHOUT_REASON, type OutcomeKind } from '@assay/contract';
import type { BounceReason } from '@assay/verifier/bounces';

/** What happened to mail after a check. */
export interface OutcomeOfCheck {
  readonly kind: OutcomeKind;
  readonly reason: BounceReason;
  readonly at: Date;
  readonly words: string;
}

/** Each reason in a few words, as they stand behind `bounced Nov 20:`. */
export const outcomeWords: Readonly<Record<BounceReason, string>> = {
  no_such_mailbox: 'no such mailbox',
  mailbox_disabled: 'the mailbox is disabled',
  no_such_domain: 'no such domain',
  no_mail_host: 'the domain takes no mail',
  hard_bounce: 'permanent failure',
  mailbox_full: 'the mailbox is full',
  mailbox_full_for_good: 'the mailbox has been full for long',
  mailbox_busy: 'the mailbox is busy',
  message_too_large: 'the message is too large',
  throttled: 'too many mails at once',
  greylisted: 'the host asks to try later',
  temporary_failure: 'temporary failure',
  connection_timeout: 'the host did not answer',
  dns_failed: 'the domain could not be looked up',
  mail_loop: 'the mail went in a circle',
  delivery_delayed: 'delivery is late',
  delivery_expired: 'delivery took too long',
  soft_bounce: 'temporary failure',
  blocked: 'the host refuses the sender',
  sender_refused: 'the host refuses the sender address',
  message_refused: 'the host refuses the message',
  mailbox_restricted: 'the mailbox takes mail of some senders only',
  complaint: 'marked as junk',
  unsubscribed: 'does not want your mail',
  auto_reply: 'an automatic answer',
  delivered: 'the mail arrived',
  mailbox_accepted: 'the host took the mail',
  not_spam: 'taken out of junk',
  suppressed_by_sender: 'the sender did not try',
  rejected_by_sender: 'the sender refused the message',
  authentication_report: 'a report about authentication',
  host_will_not_say: 'the host does not say why',
  refused_unexplained: 'without a reason',
  no_report: 'without a reason',
};

export const outcomeAnswer = ({ kind, reason, at, words }: OutcomeOfCheck): CheckOutcome => ({
  kind,
  at: at.toISOString(),
  reason: { code: reason, text: outcomeWords[reason] },
  words,
});

/** For answers about a check: nothing where nothing happened. */
export const outcomesBeside = (outcomes: CheckOutcome[] | undefined): { outcomes?: CheckOutcome[] } =>
  outcomes === undefined ? {} : { outcomes };

/** As exports say it: `bounced 2026-11-20: no such mailbox`. */
export function outcomeText({ kind, at, reason }: CheckOutcome): string {
  const happened = `${OUTCOME_VERBS[kind]} ${at.slice(0, 10)}`;
  return OUTCOMES_WITHOUT_REASON.has(kind) ? happened : `${happened}: ${reason.text}`;
}
