import { aboutTheHost } from './rules/about-the-host.ts';
import { aboutTheMailbox } from './rules/about-the-mailbox.ts';
import { aboutTheMessage } from './rules/about-the-message.ts';
import { aboutUs, aboutUsOtherwise } from './rules/about-us.ts';
import { acceptance } from './rules/acceptance.ts';
import { byClass } from './rules/by-class.ts';
import { restricted } from './rules/restricted.ts';
import type { ReplyRule } from './rules/rule.ts';
import type { Subject } from './subject.ts';

const whateverTheSubject = [...acceptance, ...aboutTheHost, ...restricted];

/** How replies to RCPT are read: the subject chooses the rules, and the first of these that matches decides. */
export const rulesBySubject: Record<Subject, readonly ReplyRule[]> = {
  us: [...whateverTheSubject, ...aboutUs, ...aboutUsOtherwise, ...byClass],
  message: [...whateverTheSubject, ...aboutTheMessage, ...byClass],
  mailbox: [...whateverTheSubject, ...aboutTheMailbox, ...byClass],
  // Replies about us often borrow the words of a missing mailbox, so the rules about us come first.
  unclear: [...whateverTheSubject, ...aboutUs, ...aboutTheMailbox, ...byClass],
};

/** Every rule once, for documents and tests. */
export const replyRules: readonly ReplyRule[] = [
  ...whateverTheSubject,
  ...aboutUs,
  ...aboutUsOtherwise,
  ...aboutTheMessage,
  ...aboutTheMailbox,
  ...byClass,
];
