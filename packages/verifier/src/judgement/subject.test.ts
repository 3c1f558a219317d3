import { describe, expect, it } from 'vitest';
import { readSubject } from './subject.ts';

/** Those of the sentences that are about something else than this. */
const otherThan = (subject: string, sentences: readonly string[], enhanced = ''): string[] =>
  sentences.filter((sentence) => readSubject(enhanced, sentence) !== subject);

describe('a reply that refuses us in so many words', () => {
  it.each([
    ...[
      'rejected',
      'verify failed',
      'verification failed',
      'denied',
      'invalid',
      'domain',
      'unknown',
      'not known',
    ].map((words) => `sender ${words}`),
    'sender address rejected',
    'invalid sender',
    'bad sender',
    'unknown sender',
    'domain of sender refused',
    'helo command rejected',
    'ehlo command rejected',
    'client host rejected',
    'our sender refused',
    'your address is refused',
    'your email account was refused',
    'your e-mail address has a problem',
    'your mailbox does that',
    'your account could be wrong',
    'your account can be wrong',
  ])('is about us, although the code and other words are those of a missing mailbox: %s', (words) => {
    expect(readSubject('5.1.1', `${words}: user unknown`)).toBe('us');
  });

  it.each(['sender notified', 'your sender', 'our senders'])('is not one that only says %s', (words) => {
    expect(readSubject('5.1.1', `${words}: user unknown`)).toBe('mailbox');
  });
});

describe('a word about us', () => {
  const words = [
    ...['the sender', 'all senders', 'mail from', 'from address', 'from: address', 'address in from'],
    ...['sending from', 'originator', 'originating address', 'callback', 'call-back', 'callout', 'call-out'],
    ...['192.0.2.1 has no name', '192.0.2.155 has no name', '[192.0.2.1] has no name', 'return path'],
    ...['return-path', 'envelope from', 'expediteur', 'expéditeur', 'emetteur', 'remitente', 'mittente'],
    ...['absender', 'helo', 'ehlo', 'client', 'your address 192.0.2.1', 'your ip address [192.0.2.1]'],
    ...['your address (192.0.2.1)', 'connecting host', 'connecting ip', 'connecting server', 'sending mta'],
    ...['remote ip', 'originating host', 'sending server', 'remote system', 'sending domain'],
    ...['message from 192.0.2.1', 'messages from [192.0.2.1]', 'reverse', 'ptr', 'rdns', 'fcrdns', 'spf'],
    ...['dkim', 'dmarc', 'dns', 'dnsbl', 'rbl', 'attrbl', 'xbl', 'sbl', 'relay', 'relaying', 'reputation'],
    ...['blacklist', 'block list', 'white-list', 'denylist', 'allowlist', 'reject list', 'access list'],
    ...['listed at x', 'listed in x', 'listed on x', 'listed by x', 'blocked using x', 'block for spam'],
    ...['blocked for spam', 'currently blocked by x', 'spammers', 'authentication', 'not permitted'],
    ...['authorized', 'authorised', 'not allowed to', 'policy', 'policies', 'prohibited', 'banned'],
  ];
  const ours = [
    ...[
      'ip',
      'host',
      'hostname',
      'host name',
      'server',
      'servers',
      'mta',
      'isp',
      'network',
      'domain',
      'reverse',
    ],
    ...['ptr', 'rdns', 'dns', 'mail system', 'connection', 'provider', 'email server', 'e-mail server'],
    ...['mail server', 'sending server', 'source server', 'smtp server', 'originating server'],
  ].map((noun) => `your ${noun}`);
  const vendors = [
    ...[
      'spamhaus',
      'dnsbl.sorbs.net',
      'spamcop',
      'abusix',
      'barracudacentral',
      'barracudanetworks',
      'cloudmark',
    ],
    ...[
      'senderbase',
      'senderscore',
      'spamrl',
      'hostkarma',
      'uribl',
      'proofpoint',
      'mail-abuse.com',
      'cobion',
    ],
    ...['csi.mimecast', 'sophos', 'trendmicro', 'trend micro', 'symantec', 'postmaster.live.com'],
  ];

  it('makes the reply one about us, also beside a missing mailbox', () => {
    const all = [...words, ...ours, ...vendors];
    expect(otherThan('us', all)).toEqual([]);
    expect(
      otherThan(
        'us',
        all.map((word) => `user unknown, ${word}`),
        '5.7.1',
      ),
    ).toEqual([]);
  });

  it('counts for nothing beside the code and the words of a missing mailbox', () => {
    const all = [...words, ...ours, ...vendors];
    for (const enhanced of ['5.1.1', '5.1.6', '5.1.10', '4.1.1']) {
      expect(
        otherThan(
          'mailbox',
          all.map((word) => `user unknown, ${word}`),
          enhanced,
        ),
      ).toEqual([]);
    }
    expect(
      otherThan(
        'us',
        all.map((word) => `user unknown, ${word}`),
        '5.1.11',
      ),
    ).toEqual([]);
  });

  it('is none that is part of another word, or said of a directory', () => {
    const sentences = ['relay recipient table', 'in relay_recipient_maps', 'not listed in our directory'];
    expect(otherThan('unclear', sentences)).toEqual([]);
  });
});

describe('words about the mailbox', () => {
  const described = [
    ...[
      'user',
      'recipient',
      'mailbox',
      'mail box',
      'account',
      'addressee',
      'alias',
      'email address',
      'users',
    ].map((noun) => `${noun} unknown`),
    'e-mail address unknown',
    'rcpt unknown',
    'user <> unknown',
    'user is unknown',
    'user was unknown',
    'users were unknown',
    'user has been disabled',
    ...['does', 'did', 'could', 'can'].map((verb) => `user ${verb} not`),
    'user cannot',
    ...[
      "doesn't",
      'invalid',
      'inactive',
      'suspended',
      'closed',
      'overquota',
      'over quota',
      'full',
      'unavailable',
    ].map((state) => `user ${state}`),
    ...['unknown', 'no such', 'invalid', 'bad', 'nonexistent', 'non-existent', 'inactive', 'disabled'].map(
      (adjective) => `${adjective} person`,
    ),
    ...['virtual', 'local', 'email', 'e-mail', 'destination', 'recipient', 'local virtual'].map(
      (kind) => `bad ${kind} person`,
    ),
    ...[
      'user',
      'recipient',
      'mailbox',
      'mail box',
      'account',
      'addressee',
      'local part',
      'local-part',
      'localpart',
    ].map((noun) => `bad ${noun}`),
    'bad alias',
    'bad rcpt',
    'it is over quota',
    'it is overquota',
    'it is over-quota',
    'the one that you tried to reach',
    'address not found',
  ];

  it('with the code of a missing mailbox make it the subject, whatever directory is named', () => {
    expect(
      otherThan(
        'mailbox',
        described.map((words) => `${words} (sophos)`),
        '5.1.1',
      ),
    ).toEqual([]);
  });

  it('without that code leave the subject unclear: such words may be borrowed', () => {
    expect(otherThan('unclear', described)).toEqual([]);
    expect(otherThan('unclear', described, '5.1.11')).toEqual([]);
  });

  it('are none that only begin like them', () => {
    expect(otherThan('us', ['user notified (sophos)', 'address not foundx (sophos)'], '5.1.1')).toEqual([]);
  });
});

describe('a domain or host that is missing', () => {
  const missing = [
    ...['unknown', 'invalid', 'no such', 'nonexistent', 'unresolvable', 'bad', 'not exist', 'not found'],
    ...['not resolve', 'not resolved', 'not valid', 'not known', 'not be found', 'not be resolved'],
    ...["doesn't exist", "doesn't resolve"],
  ];

  it('may be ours', () => {
    expect(
      otherThan(
        'us',
        missing.map((words) => `domain ${words}`),
      ),
    ).toEqual([]);
    const nouns = ['domain', 'host', 'hostname', 'mx', 'a record'];
    expect(
      otherThan(
        'us',
        nouns.map((noun) => `${noun} unknown`),
      ),
    ).toEqual([]);
  });

  it('is not the subject where a mailbox is named, or where nothing is missing', () => {
    const mailboxes = [
      ...[
        'user',
        'users',
        'recipient',
        'recipients',
        'mailbox',
        'mail box',
        'mailboxes',
        'account',
        'accounts',
      ],
      ...['addressee', 'rcpt', 'alias', 'local part', 'local-part', 'localpart', 'inbox', 'person'],
      ...['email address', 'e-mail address'],
    ];
    expect(
      otherThan(
        'unclear',
        mailboxes.map((noun) => `domain unknown for this ${noun}`),
      ),
    ).toEqual([]);
    expect(otherThan('unclear', ['domain busy', 'it is unknown', 'domain unknowns'])).toEqual([]);
  });
});

describe('a message', () => {
  it('is the subject of words about its content, size or attachments', () => {
    const sentences = [
      ...['spam', 'virus found', 'malware', 'phishing', 'content', 'attachment', 'message size'],
      ...['message rejected due to x', 'message was rejected because of x', 'message is refused for x'],
      ...['message refused as x', 'message too big', 'message is too large', 'message too long'],
    ];
    expect(otherThan('message', sentences)).toEqual([]);
  });

  it('is not the subject of words about our sending, nor of no words', () => {
    expect(otherThan('unclear', ['sending spam', 'antispam', 'discontented', ''])).toEqual([]);
  });
});
