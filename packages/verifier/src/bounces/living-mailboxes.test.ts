import { describe, expect, it } from 'vitest';
import { explainMail } from './explain-mail.ts';
import { deliveryReport, failed, mailOf, multipart, textReport } from './testing/mails.ts';

const said = (mail: Buffer): string[] =>
  (explainMail(mail) ?? []).map(({ recipient, action, reason }) => [recipient, action, reason].join(' '));

const dead = (name: string) => `${name}@example.com suppress no_such_mailbox`;
const doubtful = (name: string) => `${name}@example.com retry no_such_mailbox`;

describe('no living mailbox is suppressed', () => {
  it.each<[string, Buffer, string[]]>([
    [
      'an address within another one',
      textReport(
        '<joann@example.com>:\n550 5.1.1 User unknown\n\n<ann@example.com>:\n452 4.2.2 Over quota\n',
      ),
      [dead('joann'), 'ann@example.com retry mailbox_full'],
    ],
    [
      'an IP address that looks like a code',
      textReport('<jane@example.com>:\nConnected to 5.1.1.20 but connection died. (#4.4.2)\n'),
      ['jane@example.com retry temporary_failure'],
    ],
    [
      'a sentence without a code about the domain of the sender',
      textReport('<jane@example.com>:\nSender domain does not exist: host not found for sender.test\n'),
      ['jane@example.com fix_sender sender_refused'],
    ],
    [
      'a sentence without a code that may be about the sender as well',
      textReport("<jane@example.com>:\nThe return path couldn't be found\n"),
      [doubtful('jane')],
    ],
    [
      'recipients in adjacent lines, each with its own reason',
      textReport('<a@example.com>: connection died\n<b@example.com>: 550 5.1.1 User unknown\n'),
      ['a@example.com retry no_such_mailbox', dead('b')],
    ],
    [
      'recipients in adjacent lines that share a reason',
      textReport('  <a@example.com>\n  <b@example.com>\n    550 5.1.1 User unknown\n'),
      [dead('a'), dead('b')],
    ],
    [
      'a sentence that mentions all recipients before those that failed',
      textReport(
        'Your message to a@example.com, b@example.com could not be delivered.\n\n<b@example.com>:\n452 4.2.2 Over quota\n\n<a@example.com>:\n550 5.1.1 User unknown\n',
        { 'X-Failed-Recipients': 'a@example.com, b@example.com' },
      ),
      ['b@example.com retry mailbox_full', dead('a')],
    ],
    [
      'an address that only a quoted header names',
      textReport('Your message\n  To: jane@example.com\n  Subject: Offers\nfailed: 550 5.1.1 User unknown\n'),
      [doubtful('jane')],
    ],
    [
      'a mailbox that forwards, as sendmail says it',
      deliveryReport([
        failed('smtp; 550 5.1.1 User unknown', { 'X-Actual-Recipient': 'rfc822; old@elsewhere.test' }),
      ]),
      [doubtful('jane')],
    ],
    [
      "a recipient's own sentence beside a status without a diagnostic",
      deliveryReport([failed('', { Status: '5.1.1' })], {
        text: '<jane@example.com>: 552 5.2.2 Mailbox full\n',
      }),
      ['jane@example.com retry mailbox_full'],
    ],
    [
      'a status part in the mail of a person',
      multipart('multipart/mixed', { From: 'joe@example.com', Subject: 'See this' }, [
        { type: 'message/delivery-status', text: 'Final-Recipient: rfc822; jane@example.com\nStatus: 5.1.1' },
      ]),
      [doubtful('jane')],
    ],
    [
      'an automatic answer of a person who is called like a server',
      mailOf(
        { From: 'Mail Delivery Team <jane@example.com>', Subject: 'Automatic reply: offers' },
        '<joe@example.com>: 550 5.1.1 User unknown\n',
      ),
      ['jane@example.com none auto_reply'],
    ],
    [
      'an automatic answer of a postmaster',
      mailOf(
        { From: 'postmaster@example.com', Subject: 'Re: offers', 'Auto-Submitted': 'auto-replied' },
        '<joe@example.com>: 550 5.1.1 User unknown\n',
      ),
      ['postmaster@example.com none auto_reply'],
    ],
    [
      'an earlier report that a report quotes',
      textReport(
        '<jane@example.com>:\n452 4.2.2 Over quota\n\n> <bob@example.com>: 550 5.1.1 User unknown\n',
      ),
      ['jane@example.com retry mailbox_full'],
    ],
    [
      'a read receipt',
      multipart('multipart/report; report-type=disposition-notification', { From: 'jane@example.com' }, [
        { type: 'text/plain', text: '<jane@example.com>: 550 5.1.1 User unknown' },
        { type: 'message/disposition-notification', text: 'Final-Recipient: rfc822; jane@example.com' },
      ]),
      ['jane@example.com none auto_reply'],
    ],
    [
      'an address with letters beyond Latin-1 in a status part',
      deliveryReport([
        failed('smtp; 550 5.1.1 User unknown', { 'Final-Recipient': 'utf-8; šmith@example.com' }),
        failed('x-local; 宛先不明', { 'Final-Recipient': 'utf-8; jäne@example.com' }),
      ]),
      [dead('šmith'), dead('jäne')],
    ],
  ])('%s', (_, mail, expected) => expect(said(mail)).toEqual(expected));
});
