import { aboutTheMailbox } from './rules/about-the-mailbox.ts';
import { aboutUs } from './rules/about-us.ts';
import { acceptance } from './rules/acceptance.ts';
import { byClass } from './rules/by-class.ts';
import type { ReplyRule } from './rules/rule.ts';

/**
 * How replies to RCPT are read: the first rule that matches decides. The order of the families is the heart of it. A
 * yes is plain; then what is about us, because such replies often borrow the words of a missing mailbox; then the
 * mailbox itself; then whatever is left, by class of code.
 */
export const replyRules: readonly ReplyRule[] = [...acceptance, ...aboutUs, ...aboutTheMailbox, ...byClass];
