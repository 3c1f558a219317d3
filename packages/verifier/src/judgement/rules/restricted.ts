import { exchangeOnline, phrases, sisimai, zoneMta } from './phrases.ts';
import type { ReplyRule } from './rule.ts';

/** Mailboxes that exist and take no mail from us now. Such replies name the sender, and yet they are about the mailbox. */
export const restricted: readonly ReplyRule[] = [
  {
    id: 'mailbox-receives-too-much',
    meaning: 'no_answer',
    reason: 'mailbox_busy',
    code: /^[45]/,
    provider: 'Gmail, Yahoo',
    note: 'Only a mailbox that exists can receive too much; whether the domain takes any name stays open.',
    ...phrases(
      [
        /receiving (?:e-?)?mail (?:too quickly|at a rate that)/,
        zoneMta`450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.`,
        zoneMta`450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.`,
        sisimai.yahooinc`450 User is receiving mail too quickly`,
      ],
      /exceeded (?:its|the) (?:maximum )?receiv/,
    ),
  },
  {
    id: 'mailbox-receive-limit',
    meaning: 'no_answer',
    reason: 'mailbox_busy',
    enhanced: /^[45]\.2\.12[12]$/,
    provider: 'Microsoft 365',
    taughtBy: [
      exchangeOnline`550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded`,
      exchangeOnline`550 5.2.122 Recipient's per hour receive limit exceeded`,
    ],
  },
  {
    id: 'mailbox-refuses-outsiders',
    meaning: 'no_answer',
    reason: 'mailbox_restricted',
    enhanced: /^5\.7\.(?:12|124|129|13[0-9]|193)$/,
    provider: 'Microsoft 365',
    taughtBy: [
      exchangeOnline`550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group`,
      exchangeOnline`550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this mailbox`,
      exchangeOnline`550 5.7.124 Sender not in allowed-senders list`,
    ],
  },
  {
    id: 'restricted-by-wording',
    meaning: 'no_answer',
    reason: 'mailbox_restricted',
    code: /^5/,
    provider: 'Google, Microsoft Exchange',
    note: "'gcdp' in a reply of Google is a rule of that domain's administrator.",
    ...phrases(
      [
        /not (?:allowed|authori[sz]ed|permitted) to send (?:e-?mail |mail |messages? )?to (?:this|the) (?:recipient|mailbox|group|list|user|address)/,
        zoneMta`550 5.7.1 You are not allowed to send mail to this recipient`,
      ],
      /permission to (?:post|send)/,
      [/resolver\.rst\./, sisimai.microsoft`550 5.7.1 RESOLVER.RST.AuthRequired; authentication required`],
      /restricted to (?:internal|authenticated)|only accepts (?:e-?mail|mail|messages) from/,
      [
        /\bgcdp\b/,
        sisimai.google`550-5.7.1 The user or domain that you are sending to (or from) has a policy that\n550-5.7.1 prohibited the mail that you sent. Please contact your domain administrator\n550 5.7.1 for further details. x1 - gcdp`,
      ],
      /recipient (?:only )?accepts mail only from/,
    ),
  },
];
