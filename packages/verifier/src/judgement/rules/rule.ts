import type { Reason } from '../reasons.ts';

/**
 * What a reply to RCPT asks of us:
 * - `accepted`: the mailbox is taken
 * - `refused`: a definite no about this mailbox
 * - `no_answer`: nothing about the mailbox, and asking again soon will not help
 * - `ask_later`: nothing yet; the host wants the question again later
 * - `slow_down`: the host has had too much of us; hold off, then ask again
 * - `new_transaction`: the host takes no more recipients in this transaction; ask in another
 */
export type ReplyMeaning =
  | 'accepted'
  | 'refused'
  | 'no_answer'
  | 'ask_later'
  | 'slow_down'
  | 'new_transaction';

/** A reply that was really sent by some host, and where it can be read. It is the rule's test. */
interface TaughtBy {
  reply: string;
  source: string;
}

/** Every condition that is present must hold. */
export interface ReplyRule {
  id: string;
  meaning: ReplyMeaning;
  reason: Reason;
  /** Against the three digits. */
  code?: RegExp;
  /** Against the enhanced code (RFC 3463) such as 5.1.1, or nothing when the reply has none. */
  enhanced?: RegExp;
  /** Against the text in lower case, on one line, with every mail address in it written as `<>`. */
  text?: RegExp;
  /** A second condition on the same text. One expression for both, with `.*` between them, would take quadratic time. */
  alsoText?: RegExp;
  provider?: string;
  /** The words could be about us as well, so a control at the same domain has to bear them out. */
  isAmbiguous?: boolean;
  /** Why the rule is as it is, where that is not plain. */
  note?: string;
  taughtBy: readonly TaughtBy[];
}

const github = (repository: string, path: string): string => `github.com/${repository}, ${path}`;

export const zoneMta = github('zone-eu/zone-mta', 'config/bounces.txt');
export const reacher = github('reacherhq/check-if-email-exists', 'core/src/smtp/parser.rs');
export const sisimai = (path: string): string => github('sisimai/rb-sisimai', `lib/sisimai/${path}.rb`);
export const bounceHandler = github('twisted1919/bounce-handler', 'BounceHandler/rules.php');
export const rfc5321 = 'RFC 5321 §4.2.3';
export const exchangeOnline = 'learn.microsoft.com, non-delivery reports in Exchange Online';
