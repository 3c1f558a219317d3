import type { Reason } from '../reasons.ts';
import type { phrases, TaughtBy } from './phrases.ts';

/**
 * What a reply to RCPT asks of us:
 * - `accepted`: the mailbox is taken
 * - `refused`: a definite no about this mailbox
 * - `no_answer`: nothing about the mailbox, and asking again soon will not help
 * - `ask_later`: nothing yet; the host wants the question again later
 * - `slow_down`: the host has had too much of us: back off, then ask again
 * - `new_transaction`: the host takes no more recipients in this transaction; ask in another
 */
export type ReplyMeaning =
  | 'accepted'
  | 'refused'
  | 'no_answer'
  | 'ask_later'
  | 'slow_down'
  | 'new_transaction';

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
  /** What `text` is made of. */
  phrases?: ReturnType<typeof phrases>['phrases'];
  taughtBy: readonly TaughtBy[];
}
