import { bounceHandler, exchangeOnline, phrases, reacher, readAt, sisimai, zoneMta } from './phrases.ts';
import type { ReplyRule } from './rule.ts';

/** What hosts say of their own state: how much they take, and when. Stands first, since it names neither us nor the mailbox. */
export const aboutTheHost: readonly ReplyRule[] = [
  {
    id: 'recipients-per-transaction',
    meaning: 'new_transaction',
    reason: 'throttled',
    code: /^(?:45|55[024])/,
    note: 'Not a full mailbox: the limit of one transaction. RFC 5321 §4.5.3.1.10 has 552 mean the same as 452 here.',
    ...phrases(
      [
        /too many recipients/,
        sisimai.mimecast`452 4.5.3 Too many recipients`,
        readAt('RFC 5321 §4.5.3.1.10')`552 Too many recipients`,
        readAt('RFC 3463 §3.6')`550 5.5.3 Too many recipients`,
      ],
      /recipients? limit|maximum number of recipients/,
      [
        /recipients belong to multiple/,
        exchangeOnline`452 4.5.3 Recipients belong to multiple regions ATTR38`,
      ],
    ),
  },
  {
    id: 'recipients-per-transaction-by-code',
    meaning: 'new_transaction',
    reason: 'throttled',
    code: /^[45]/,
    enhanced: /^[45]\.5\.3$/,
    taughtBy: [readAt('RFC 3463 §3.6')`452 4.5.3 Error: too many rcpts`],
  },
  {
    id: 'too-many-bad-recipients',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^[45]/,
    note: 'A limit on guesses, not a word on this guess.',
    ...phrases(
      [
        /too many (?:invalid|unknown|bad|wrong) (?:recipients|users|addresses|rcpts?)/,
        zoneMta`550 Too many invalid recipients`,
      ],
      [
        /too many errors/,
        readAt(
          'postfix.org, SMTPD_ERROR limits (postconf smtpd_hard_error_limit)',
        )`421 4.7.0 mx.example.com Error: too many errors`,
      ],
    ),
  },
  {
    id: 'too-frequent',
    meaning: 'slow_down',
    reason: 'throttled',
    code: /^[45]/,
    provider: 'QQ',
    ...phrases([
      /frequency (?:is )?limited/,
      sisimai.tencentqq`550 Ip frequency limited`,
      sisimai.tencentqq`550 Connection frequency limited`,
    ]),
  },
  {
    id: 'greylist-run-as-blocklist',
    meaning: 'ask_later',
    reason: 'greylisted',
    code: /^4/,
    ...phrases([
      /gr[ae]y ?-?list/,
      zoneMta`421 4.7.1 Service unavailable; Client host [1.2.3.4] blocked using grey.rbl - Rechazo temporal, intentelo mas tarde por favor...Greylisting in action, please try again later`,
      sisimai.zoho`451 4.7.1 Greylisted, try again after some time`,
      readAt(
        'postgrey.schweikert.ch',
      )`450 4.2.0 <user2@example.se>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.se.html`,
      reacher`451 You dont seem to have a reverse dns entry. Come back later. You are greylisted for 20 minutes.`,
    ]),
  },
  {
    id: 'system-storage',
    meaning: 'ask_later',
    reason: 'temporary_failure',
    code: /^4/,
    note: "The server's disk, not the mailbox.",
    ...phrases(
      [
        /insufficient (?:system )?(?:storage|resources|disk)/,
        bounceHandler`452 Insufficient system storage`,
        sisimai.systemerror`452 4.3.1 Insufficient system resources`,
      ],
      [/temporary system error/, sisimai.zoho`452 4.3.1 Temporary System Error`],
    ),
  },
];
