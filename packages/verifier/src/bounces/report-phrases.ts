import type { BounceReason } from './bounce-reasons.ts';

/**
 * Sentences that mail servers write into reports about mail that they could not pass on. No host says them in a reply, so
 * the rules of the engine do not know them. Each phrase is looked for in lower case; the first that is found decides.
 */
export interface ReportPhrases {
  readonly rule: string;
  readonly reason: BounceReason;
  readonly phrases: readonly string[];
  /** A report that taught it, and who writes it. */
  readonly taughtBy: readonly { readonly report: string; readonly source: string }[];
}

/** Said of the whole report: its recipients have not failed yet. */
export const stillTrying: ReportPhrases = {
  rule: 'still-trying',
  reason: 'delivery_delayed',
  phrases: [
    'will continue to be attempted',
    'delivery attempts will continue',
    'will keep trying',
    'will continue trying',
    'will continue to try',
    'will be retried',
    'will retry for',
    'will try again',
    'this is a warning message only',
    'this is a warning only',
    'you do not need to resend',
    'not yet been delivered',
    'not been delivered yet',
    'delivery is delayed to these recipients',
    'delivery to these recipients is delayed',
    'has been delayed',
    'no action is required on your part',
  ],
  taughtBy: [
    { report: 'THIS IS A WARNING MESSAGE ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.', source: 'Sendmail' },
    {
      report: 'No action is required on your part. Delivery attempts will continue for some time.',
      source: 'Exim',
    },
    { report: 'Delivery is delayed to these recipients or groups:', source: 'Exchange' },
  ],
};

/** What happens before a host replies. No host says it of a mailbox, so these come before the rules of the engine. */
export const routePhrases: readonly ReportPhrases[] = [
  {
    rule: 'name-servers-failed',
    reason: 'dns_failed',
    phrases: [
      'host not found, try again',
      'host name lookup failure',
      'temporary name server',
      'temporary dns',
      'temporary lookup failure',
      'cname lookup failed temporarily',
      'transient dns',
      'dns server returned general failure',
      'responded with code servfail',
    ],
    taughtBy: [
      {
        report:
          'Host or domain name not found. Name service error for name=example.com type=MX: Host not found, try again',
        source: 'Postfix',
      },
      { report: 'CNAME lookup failed temporarily. (#4.4.3)', source: 'qmail' },
    ],
  },
  {
    rule: 'no-mail-host',
    reason: 'no_mail_host',
    phrases: [
      'does not accept mail (nullmx)',
      'null mx',
      'domain has no mail',
      'no mail server for',
      'all relevant mx records point to non-existent hosts',
      'malformed or unexpected name server reply',
      'an mx or srv record indicated no smtp service',
      'no mx or a records',
      'no valid mx',
    ],
    taughtBy: [
      { report: 'Domain example.com does not accept mail (nullMX)', source: 'Postfix' },
      { report: 'all relevant MX records point to non-existent hosts', source: 'Exim' },
    ],
  },
  {
    rule: 'no-such-domain',
    reason: 'no_such_domain',
    phrases: [
      'name service error for',
      'host unknown',
      'unknown host',
      'unrouteable mail domain',
      'unroutable domain',
      'unrouteable domain',
      'domain name not found',
      'domain not found',
      "couldn't find any host named",
      "couldn't find any host by that name",
      'nxdomain',
      'name or service not known',
      'no such domain',
      'domain does not exist',
      "domain doesn't exist",
      'could not resolve host',
      'domain name could not be resolved',
      'non-existent domain',
      'nonexistent domain',
      'invalid domain name',
      'bad destination system address',
      'destination server for this recipient could not be found',
    ],
    taughtBy: [
      {
        report:
          'Host or domain name not found. Name service error for name=example.invalid type=A: Host not found',
        source: 'Postfix',
      },
      { report: "Sorry, I couldn't find any host named example.invalid. (#5.1.2)", source: 'qmail' },
      {
        report:
          '550 5.1.2 <jane@example.invalid>... Host unknown (Name server: example.invalid: host not found)',
        source: 'Sendmail',
      },
      { report: 'Unrouteable mail domain "example.invalid"', source: 'Exim' },
      {
        report: "DNS Error: DNS type 'mx' lookup of example.invalid responded with code NXDOMAIN",
        source: 'Gmail',
      },
    ],
  },
  {
    rule: 'mail-loop',
    reason: 'mail_loop',
    phrases: [
      'loops back to myself',
      'mail loop',
      'message looping',
      'mail is looping',
      'too many hops',
      'hop count exceeded',
      'routing loop',
      'mail forwarding loop',
      'too many received',
    ],
    taughtBy: [
      { report: 'mail for example.com loops back to myself', source: 'Postfix' },
      { report: 'Too many hops 26 (25 max)', source: 'Sendmail' },
    ],
  },
  {
    rule: 'message-too-large',
    reason: 'message_too_large',
    phrases: [
      'message too large',
      'message too big',
      'message is too large',
      'message is too big',
      'message size exceeds',
      'maximum message size',
      'max message size',
      'maximum incoming message size',
      'exceeds size limit',
      'message exceeds',
      'message length exceeds',
      'larger than the current system limit',
      'message size limit',
      'mail size limit',
      'size limit exceeded for message',
      'this message is larger than',
      'too large to be delivered',
    ],
    taughtBy: [
      { report: '552 5.3.4 Message size exceeds fixed limit', source: 'RFC 1870 §6.1' },
      { report: 'This message is larger than the current system limit', source: 'Exchange' },
    ],
  },
  {
    rule: 'delivery-expired',
    reason: 'delivery_expired',
    phrases: [
      'message expired',
      'retry timeout exceeded',
      'retry time not reached for any host after a long failure period',
      'delivery time expired',
      'maximum queue lifetime',
      'has been in the queue too long',
      'message could not be delivered for',
      'could not be delivered within',
      'unable to deliver message after multiple',
      'delivery expired',
      'all hosts have been failing for a long time',
      'maximum delivery attempts',
      'maximum-time-expired',
      'message timed out',
      'expired in queue',
      'max retry',
    ],
    taughtBy: [
      { report: 'retry timeout exceeded', source: 'Exim' },
      { report: "I'm not going to try again; this message has been in the queue too long.", source: 'qmail' },
      { report: 'Message could not be delivered for 5 days', source: 'Sendmail' },
    ],
  },
  {
    rule: 'host-not-reached',
    reason: 'connection_timeout',
    phrases: [
      'connection timed out',
      'connection refused',
      'network is unreachable',
      'no route to host',
      'connection reset by peer',
      'lost connection with',
      'connection dropped',
      'connection was dropped',
      "wasn't able to establish an smtp connection",
      'timed out while',
      'deferred: connection',
      'delivery temporarily suspended',
      'operation timed out',
      'is not responding',
      'host unreachable',
      'server did not respond',
      'the recipient server did not accept our requests to connect',
      'unable to connect',
      'could not connect',
      'failed to connect',
    ],
    taughtBy: [
      { report: 'connect to mx.example.com[192.0.2.1]:25: Connection timed out', source: 'Postfix' },
      { report: "Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)", source: 'qmail' },
      { report: 'The recipient server did not accept our requests to connect.', source: 'Gmail' },
    ],
  },
];

/** A recipient who refuses this sender. Some hosts give it the code of a missing mailbox, so this comes before the rules of the engine. */
export const refusedByRecipient: ReportPhrases = {
  rule: 'refused-by-recipient',
  reason: 'mailbox_restricted',
  phrases: [
    'recipient preferences',
    'preferences of the recipient',
    'blocked by the recipient',
    'blocked by recipient',
    'recipient has blocked',
    'not accepting mail from',
    'not accepting messages from',
  ],
  taughtBy: [
    { report: '550 5.1.1 Refused due to recipient preferences', source: 'Facebook, response code RCP-P2' },
  ],
};

/** What the rules of the engine do not know, for words that they leave unexplained. */
export const furtherPhrases: readonly ReportPhrases[] = [
  {
    rule: 'mailbox-not-there',
    reason: 'no_such_mailbox',
    phrases: [
      'not listed in public name & address book',
      'not listed in domino directory',
      'e-mail account does not exist at the organization',
      'e-mail address could not be found',
      'email address you entered couldn',
      "wasn't found at",
      "couldn't be found",
      "doesn't have a yahoo",
      'address(es) not found',
      'no such address here',
      'no valid recipient',
      "didn't recognize",
      'unrouteable address',
      'unknown local-part',
      'addressee unknown',
      'not a valid mailbox',
      "n'existe pas",
      'existiert nicht',
      'no existe',
      'non esiste',
      'não existe',
      'benutzer unbekannt',
      'empfänger unbekannt',
      'adresse unbekannt',
      'adresse inconnue',
      'indirizzo sconosciuto',
      'bestaat niet',
      'не существует',
      '宛先のメールアドレスが存在しません',
      '宛先不明',
      '宛先が見つかりません',
      'アドレスが見つかりません',
      'ユーザーが見つかりません',
      '存在しないメールアドレス',
      '用户不存在',
      '收件人不存在',
      '無此使用者',
    ],
    taughtBy: [
      { report: 'User jdoe (jdoe@example.com) not listed in Domino Directory', source: 'Domino' },
      {
        report: 'The e-mail account does not exist at the organization this message was sent to.',
        source: 'Exchange 2003',
      },
      {
        report: "Your message wasn't delivered to jane@example.com because the address couldn't be found",
        source: 'Gmail',
      },
    ],
  },
  {
    rule: 'person-left',
    reason: 'mailbox_disabled',
    phrases: ['no longer works', 'no longer employed', 'no longer with us', 'has left the company'],
    taughtBy: [
      {
        report: '550 This person no longer works here',
        source: 'replies that administrators write themselves',
      },
    ],
  },
  {
    rule: 'mailbox-is-full',
    reason: 'mailbox_full',
    phrases: [
      'is full',
      'quota exceeded',
      'exceeded storage allocation',
      'disk quota',
      'their quota',
      'user quota',
      'mailbox quota',
      'full mailbox',
      'mailbox has exceeded',
      'メールボックスの容量',
      'メールボックスが一杯',
      'メールボックスがいっぱい',
      '容量を超え',
      '受信箱がいっぱい',
      '邮箱已满',
      '信箱已滿',
    ],
    taughtBy: [
      { report: "The recipient's mailbox is full and can't accept messages now.", source: 'Exchange' },
      { report: "can't create user output file. Disk quota exceeded", source: 'procmail' },
    ],
  },
  {
    rule: 'message-refused-in-other-words',
    reason: 'message_refused',
    phrases: [
      'spamming',
      'unsolicited',
      'bulk mail',
      'bulk email',
      'junk mail',
      'infected',
      'content filter',
      'message refused',
      'message rejected',
      'message blocked',
      'message was blocked',
      'message was rejected',
      'mail was blocked',
      '迷惑メール',
      '垃圾邮件',
    ],
    taughtBy: [
      {
        report: '550 5.7.1 This is unsolicited bulk email',
        source: 'amavisd-new, whose word for spam is UBE',
      },
    ],
  },
];
