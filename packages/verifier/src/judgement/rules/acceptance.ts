import { type ReplyRule, rfc5321 } from './rule.ts';

export const acceptance: readonly ReplyRule[] = [
  {
    id: 'accepted',
    meaning: 'accepted',
    reason: 'mailbox_accepted',
    code: /^25[01]$/,
    taughtBy: [
      { reply: '250 2.1.5 OK', source: 'RFC 2034 §5' },
      { reply: '251 User not local; will forward to <jane@example.net>', source: rfc5321 },
    ],
  },
  {
    id: 'no-promise',
    meaning: 'no_answer',
    reason: 'host_will_not_say',
    code: /^2/,
    note: 'Any other 2xx, and 252 above all, takes the mail without a word on the mailbox.',
    taughtBy: [
      { reply: '252 Cannot VRFY user, but will accept message and attempt delivery', source: rfc5321 },
    ],
  },
];
