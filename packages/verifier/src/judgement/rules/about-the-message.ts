import { type ReplyRule, sisimai } from './rule.ts';

/** Refusals of a message that we never sent. */
export const aboutTheMessage: readonly ReplyRule[] = [
  {
    id: 'message-refused',
    meaning: 'no_answer',
    reason: 'message_refused',
    code: /^5/,
    note: 'Used only when the subject of the reply is the message.',
    taughtBy: [
      {
        reply: '554 5.7.1 Email cannot be delivered. Reason: Email flagged as Spam.',
        source: sisimai('rhost/zoho'),
      },
      { reply: '550 5.7.1 Message rejected due to content restrictions', source: 'RFC 3463 §3.8' },
      { reply: '552 5.3.4 Message size exceeds fixed limit', source: 'RFC 1870 §6.1' },
    ],
  },
];
