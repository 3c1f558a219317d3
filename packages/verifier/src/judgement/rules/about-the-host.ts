import { bounceHandler, exchangeOnline, type ReplyRule, reacher, sisimai, zoneMta } from './rule.ts';

/** What hosts say of their own state: how much they take, and when. Stands first, since it names neither us nor the mailbox. */
export const aboutTheHost: readonly ReplyRule[] = [
  {
    id: 'recipients-per-transaction',
    meaning: 'new_transaction',
    reason: 'throttled',
    code: /^(?:45|55[024])/,
    text: /too many recipients|recipients? limit|maximum number of recipients|recipients belong to multiple/,
    note: 'Not a full mailbox: the limit of one transaction. RFC 5321 §4.5.3.1.10 has 552 mean the same as 452 here.',
    taughtBy: [
      { reply: '452 4.5.3 Too many recipients', source: sisimai('rhost/mimecast') },
      { reply: '552 Too many recipients', source: 'RFC 5321 §4.5.3.1.10' },
      { reply: '550 5.5.3 Too many recipients', source: 'RFC 3463 §3.6' },
      {
        reply: '452 4.5.3 Recipients belong to multiple regions ATTR38',
        source: exchangeOnline,
      },
    ],
  },
  {
    id: 'recipients-per-transaction-by-code',
    meaning: 'new_transaction',
    reason: 'throttled',
    code: /^[45]/,
    enhanced: /^[45]\.5\.3$/,
    taughtBy: [{ reply: '452 4.5.3 Error: too many rcpts', source: 'RFC 3463 §3.6' }],
  },
  {
    id: 'too-many-bad-recipients',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^[45]/,
    text: /too many (?:invalid|unknown|bad|wrong) (?:recipients|users|addresses|rcpts?)|too many errors/,
    note: 'A limit on guesses, not a word on this guess.',
    taughtBy: [
      { reply: '550 Too many invalid recipients', source: zoneMta },
      {
        reply: '421 4.7.0 mx.example.com Error: too many errors',
        source: 'postfix.org, SMTPD_ERROR limits (postconf smtpd_hard_error_limit)',
      },
    ],
  },
  {
    id: 'too-frequent',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^[45]/,
    text: /frequency (?:is )?limited/,
    provider: 'QQ',
    taughtBy: [
      { reply: '550 Ip frequency limited', source: sisimai('rhost/tencentqq') },
      { reply: '550 Connection frequency limited', source: sisimai('rhost/tencentqq') },
    ],
  },
  {
    id: 'greylist-run-as-blocklist',
    meaning: 'ask_later',
    reason: 'greylisted',
    code: /^4/,
    text: /gr[ae]y ?-?list/,
    taughtBy: [
      {
        reply:
          '421 4.7.1 Service unavailable; Client host [1.2.3.4] blocked using grey.rbl - Rechazo temporal, intentelo mas tarde por favor...Greylisting in action, please try again later',
        source: zoneMta,
      },
      { reply: '451 4.7.1 Greylisted, try again after some time', source: sisimai('rhost/zoho') },
      {
        reply:
          '450 4.2.0 <user2@example.se>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.se.html',
        source: 'postgrey.schweikert.ch',
      },
      {
        reply:
          '451 You dont seem to have a reverse dns entry. Come back later. You are greylisted for 20 minutes.',
        source: reacher,
      },
    ],
  },
  {
    id: 'system-storage',
    meaning: 'ask_later',
    reason: 'temporary_failure',
    code: /^4/,
    text: /insufficient (?:system )?(?:storage|resources|disk)|temporary system error/,
    note: "The server's disk, not the mailbox.",
    taughtBy: [
      { reply: '452 Insufficient system storage', source: bounceHandler },
      { reply: '452 4.3.1 Insufficient system resources', source: sisimai('reason/systemerror') },
      { reply: '452 4.3.1 Temporary System Error', source: sisimai('rhost/zoho') },
    ],
  },
];
