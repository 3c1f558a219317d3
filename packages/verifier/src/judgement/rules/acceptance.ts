import { readAt, rfc5321 } from './phrases.ts';
import type { ReplyRule } from './rule.ts';

export const acceptance: readonly ReplyRule[] = [
  {
    id: 'accepted',
    meaning: 'accepted',
    reason: 'mailbox_accepted',
    code: /^25[01]$/,
    taughtBy: [
      readAt('RFC 2034 §5')`250 2.1.5 OK`,
      rfc5321`251 User not local; will forward to <jane@example.net>`,
    ],
  },
  {
    id: 'no-promise',
    meaning: 'no_answer',
    reason: 'host_will_not_say',
    code: /^2/,
    note: 'Any other 2xx, and 252 above all, takes the mail without a word on the mailbox.',
    taughtBy: [rfc5321`252 Cannot VRFY user, but will accept message and attempt delivery`],
  },
];
