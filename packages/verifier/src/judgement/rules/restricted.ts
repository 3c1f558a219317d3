import { exchangeOnline, type ReplyRule, sisimai, zoneMta } from './rule.ts';

/** Mailboxes that exist and take no mail from us now. Such replies name the sender, and yet they are about the mailbox. */
export const restricted: readonly ReplyRule[] = [
  {
    id: 'mailbox-receives-too-much',
    meaning: 'no_answer',
    reason: 'mailbox_busy',
    code: /^[45]/,
    text: /receiving (?:e-?)?mail (?:too quickly|at a rate that)|exceeded (?:its|the) (?:maximum )?receiv/,
    provider: 'Gmail, Yahoo',
    note: 'Only a mailbox that exists can receive too much; whether the domain takes any name stays open.',
    taughtBy: [
      {
        reply:
          '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
        source: zoneMta,
      },
      {
        reply:
          '450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.',
        source: zoneMta,
      },
      { reply: '450 User is receiving mail too quickly', source: sisimai('rhost/yahooinc') },
    ],
  },
  {
    id: 'mailbox-receive-limit',
    meaning: 'no_answer',
    reason: 'mailbox_busy',
    enhanced: /^[45]\.2\.12[12]$/,
    provider: 'Microsoft 365',
    taughtBy: [
      {
        reply: "550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded",
        source: exchangeOnline,
      },
      { reply: "550 5.2.122 Recipient's per hour receive limit exceeded", source: exchangeOnline },
    ],
  },
  {
    id: 'mailbox-refuses-outsiders',
    meaning: 'no_answer',
    reason: 'mailbox_restricted',
    enhanced: /^5\.7\.(?:12|124|129|13[0-9]|193)$/,
    provider: 'Microsoft 365',
    taughtBy: [
      {
        reply:
          '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group',
        source: exchangeOnline,
      },
      {
        reply:
          '550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this mailbox',
        source: exchangeOnline,
      },
      { reply: '550 5.7.124 Sender not in allowed-senders list', source: exchangeOnline },
    ],
  },
  {
    id: 'restricted-by-wording',
    meaning: 'no_answer',
    reason: 'mailbox_restricted',
    code: /^5/,
    text: /not (?:allowed|authori[sz]ed|permitted) to send (?:e-?mail |mail |messages? )?to (?:this|the) (?:recipient|mailbox|group|list|user|address)|permission to (?:post|send)|resolver\.rst\.|restricted to (?:internal|authenticated)|only accepts (?:e-?mail|mail|messages) from|\bgcdp\b|recipient (?:only )?accepts mail only from/,
    provider: 'Google, Microsoft Exchange',
    note: "'gcdp' in a reply of Google is a rule of that domain's administrator.",
    taughtBy: [
      {
        reply: '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
        source: sisimai('rhost/microsoft'),
      },
      {
        reply: '550 5.7.1 You are not allowed to send mail to this recipient',
        source: zoneMta,
      },
      {
        reply:
          '550-5.7.1 The user or domain that you are sending to (or from) has a policy that\n550-5.7.1 prohibited the mail that you sent. Please contact your domain administrator\n550 5.7.1 for further details. x1 - gcdp',
        source: sisimai('rhost/google'),
      },
    ],
  },
];
