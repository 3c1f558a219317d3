import { readAt, sisimai } from './phrases.ts';
import type { ReplyRule } from './rule.ts';

/** Refusals of a message that we never sent. */
export const aboutTheMessage: readonly ReplyRule[] = [
  {
    id: 'message-refused',
    meaning: 'no_answer',
    reason: 'message_refused',
    code: /^5/,
    note: 'Used only when the subject of the reply is the message.',
    taughtBy: [
      sisimai.zoho`554 5.7.1 Email cannot be delivered. Reason: Email flagged as Spam.`,
      readAt('RFC 3463 §3.8')`550 5.7.1 Message rejected due to content restrictions`,
      readAt('RFC 1870 §6.1')`552 5.3.4 Message size exceeds fixed limit`,
    ],
  },
];
