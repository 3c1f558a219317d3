import { type ReplyRule, rfc5321, sisimai, zoneMta } from './rule.ts';

/** What is left, by class of code. Stands last; together these match every reply. */
export const byClass: readonly ReplyRule[] = [
  {
    id: 'policy-by-code',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^5/,
    enhanced: /^[45]\.7\./,
    taughtBy: [
      { reply: '550 5.7.1 Delivery refused', source: 'RFC 3463 §3.8' },
      {
        reply: '554 5.7.1 <jane@example.com>: Recipient address rejected: Access denied',
        source: 'postfix.org, check_recipient_access',
      },
    ],
  },
  {
    id: 'temporary-policy-of-microsoft',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^4/,
    enhanced: /^4\.7\.(?:5\d\d|6\d\d|8[5-9]\d)$/,
    provider: 'Microsoft 365',
    taughtBy: [
      {
        reply: '451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719)',
        source: sisimai('rhost/microsoft'),
      },
    ],
  },
  {
    id: 'too-much-of-us',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^4/,
    text: /too many|too (?:fast|quickly|frequent)|rate limit|limit exceeded|throttl|slow down|excessive|concurrent|trop de connexions|relay limit|deferred due to/,
    taughtBy: [
      {
        reply:
          '421 mwinf5c79 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR005_104 [104]',
        source: sisimai('rhost/franceptt'),
      },
      {
        reply:
          '421 4.7.1 Messages to jane@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137',
        source: sisimai('rhost/apple'),
      },
      {
        reply: "421 RP-001 Unfortunately, some messages from 192.0.2.1 weren't sent. Too many connections",
        source: zoneMta,
      },
    ],
  },
  {
    id: 'maximum-reached',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^4/,
    text: /max(?:imum)? /,
    alsoText: /reached|exceeded/,
    taughtBy: [
      {
        reply: '421 Max message per connection reached, closing transmission channel',
        source: sisimai('rhost/yahooinc'),
      },
    ],
  },
  {
    id: 'closing',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^421$/,
    note: '421 ends the connection whatever was asked.',
    taughtBy: [{ reply: '421 Service not available, closing transmission channel', source: rfc5321 }],
  },
  {
    id: 'throttled-by-code',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^450$/,
    enhanced: /^4\.7\.0$/,
    taughtBy: [{ reply: '450 4.7.0 Unknown security or policy concern', source: zoneMta }],
  },
  {
    id: 'ask-again',
    meaning: 'ask_later',
    reason: 'greylisted',
    code: /^4[57]/,
    text: /(?:try|retry) (?:again )?(?:later|in|after)|try again|come back|please retry|verification in progress|not yet authorized|veuillez essayer plus tard|intentelo mas tarde/,
    taughtBy: [
      { reply: '451 4.7.1 Try again later', source: 'rspamd.com, greylisting module' },
      {
        reply:
          '450 4.1.1 <jane@example.com>: Recipient address rejected: unverified address: Address verification in progress',
        source: 'postfix.org, ADDRESS_VERIFICATION_README',
      },
    ],
  },
  {
    id: 'greylisted-by-code',
    meaning: 'ask_later',
    reason: 'greylisted',
    code: /^45/,
    enhanced: /^4\.7\.1$/,
    taughtBy: [{ reply: '451 4.7.1 Service unavailable - please wait', source: zoneMta }],
  },
  {
    id: 'other-4xx',
    meaning: 'ask_later',
    reason: 'temporary_failure',
    code: /^4/,
    taughtBy: [
      { reply: '451 Requested action aborted: local error in processing', source: rfc5321 },
      { reply: '450', source: rfc5321 },
    ],
  },
  {
    id: 'full-552',
    meaning: 'no_answer',
    reason: 'mailbox_full',
    code: /^552$/,
    note: 'RFC 5321: exceeded storage allocation.',
    taughtBy: [{ reply: '552', source: rfc5321 }],
  },
  {
    // See docs/decisions/verifier-bare-550.md.
    id: 'other-5xx',
    meaning: 'no_answer',
    reason: 'refused_unexplained',
    note: 'A bare 550 too: RFC 5321 gives it to missing mailboxes and to policy alike, and we do not guess.',
    taughtBy: [
      { reply: '550', source: rfc5321 },
      { reply: '554 Transaction failed', source: rfc5321 },
      { reply: '541 5.4.1 Mail rejected by destination domain', source: sisimai('rhost/zoho') },
      { reply: '550 5.0.0 Mail rejected', source: 'GitHub, bounce rule tables' },
    ],
  },
];
