import { phrases, readAt, rfc5321, sisimai, zoneMta } from './phrases.ts';
import type { ReplyRule } from './rule.ts';

/** What is left, by class of code. Stands last; together these match every reply. */
export const byClass: readonly ReplyRule[] = [
  {
    id: 'policy-by-code',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^5/,
    enhanced: /^[45]\.7\./,
    taughtBy: [
      readAt('RFC 3463 §3.8')`550 5.7.1 Delivery refused`,
      readAt(
        'postfix.org, check_recipient_access',
      )`554 5.7.1 <jane@example.com>: Recipient address rejected: Access denied`,
    ],
  },
  {
    id: 'temporary-policy-of-microsoft',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^4/,
    enhanced: /^4\.7\.(?:5\d\d|6\d\d|8[5-9]\d)$/,
    provider: 'Microsoft 365',
    taughtBy: [sisimai.microsoft`451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719)`],
  },
  {
    id: 'too-much-of-us',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^4/,
    ...phrases(
      [
        /too many/,
        zoneMta`421 RP-001 Unfortunately, some messages from 192.0.2.1 weren't sent. Too many connections`,
      ],
      /too (?:fast|quickly|frequent)|rate limit|limit exceeded|throttl/,
      [
        /slow down/,
        sisimai.franceptt`421 mwinf5c79 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR005_104 [104]`,
      ],
      [
        /excessive/,
        sisimai.apple`421 4.7.1 Messages to jane@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137`,
      ],
      /concurrent|trop de connexions|relay limit|deferred due to/,
    ),
  },
  {
    id: 'maximum-reached',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^4/,
    alsoText: /reached|exceeded/,
    ...phrases([
      /max(?:imum)? /,
      sisimai.yahooinc`421 Max message per connection reached, closing transmission channel`,
    ]),
  },
  {
    id: 'closing',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^421$/,
    note: '421 ends the connection whatever was asked.',
    taughtBy: [rfc5321`421 Service not available, closing transmission channel`],
  },
  {
    id: 'throttled-by-code',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^450$/,
    enhanced: /^4\.7\.0$/,
    taughtBy: [zoneMta`450 4.7.0 Unknown security or policy concern`],
  },
  {
    id: 'ask-again',
    meaning: 'ask_later',
    reason: 'greylisted',
    code: /^4[57]/,
    ...phrases(
      [
        /(?:try|retry) (?:again )?(?:later|in|after)/,
        readAt('rspamd.com, greylisting module')`451 4.7.1 Try again later`,
      ],
      /try again|come back|please retry/,
      [
        /verification in progress/,
        readAt(
          'postfix.org, ADDRESS_VERIFICATION_README',
        )`450 4.1.1 <jane@example.com>: Recipient address rejected: unverified address: Address verification in progress`,
      ],
      /not yet authorized|veuillez essayer plus tard|intentelo mas tarde/,
    ),
  },
  {
    id: 'greylisted-by-code',
    meaning: 'ask_later',
    reason: 'greylisted',
    code: /^45/,
    enhanced: /^4\.7\.1$/,
    taughtBy: [zoneMta`451 4.7.1 Service unavailable - please wait`],
  },
  {
    id: 'other-4xx',
    meaning: 'ask_later',
    reason: 'temporary_failure',
    code: /^4/,
    taughtBy: [rfc5321`451 Requested action aborted: local error in processing`, rfc5321`450`],
  },
  {
    id: 'full-552',
    meaning: 'no_answer',
    reason: 'mailbox_full',
    code: /^552$/,
    note: 'RFC 5321: exceeded storage allocation.',
    taughtBy: [rfc5321`552`],
  },
  {
    // See docs/decisions/verifier-bare-550.md.
    id: 'other-5xx',
    meaning: 'no_answer',
    reason: 'refused_unexplained',
    note: 'A bare 550 too: RFC 5321 gives it to missing mailboxes and to policy alike, and we do not guess.',
    taughtBy: [
      rfc5321`550`,
      rfc5321`554 Transaction failed`,
      sisimai.zoho`541 5.4.1 Mail rejected by destination domain`,
      readAt('GitHub, bounce rule tables')`550 5.0.0 Mail rejected`,
    ],
  },
];
