import { describe, expect, it } from 'vitest';
import { explainMail, recipientsMax } from './explain-mail.ts';
import {
  deliveryReport,
  failed,
  feedbackReport,
  fromServer,
  mailOf,
  multipart,
  textReport,
} from './testing/mails.ts';

const jane = 'jane@example.com';
const said = (mail: Buffer): string[] =>
  (explainMail(mail) ?? []).map(({ recipient, class: bounceClass, subject, action, reason }) =>
    [recipient, bounceClass, subject, action, reason].join(' '),
  );

const hardMailbox = (reason = 'no_such_mailbox', action = 'suppress') =>
  `${jane} hard mailbox ${action} ${reason}`;
const softHost = (reason: string) => `${jane} soft host retry ${reason}`;

describe('reports with a status part', () => {
  it.each<[string, Buffer, string]>([
    [
      'Postfix quotes the host',
      deliveryReport([
        failed(
          'smtp; 550 5.1.1 <jane@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
        ),
      ]),
      hardMailbox(),
    ],
    [
      'Status 5.0.0 loses against the reply',
      deliveryReport([failed('smtp; 550 No such user here', { Status: '5.0.0' })]),
      hardMailbox(),
    ],
    [
      'Status 5.1.1 loses against a reply about the sender',
      deliveryReport([
        failed(
          'smtp; 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
          { Status: '5.1.1' },
        ),
      ]),
      `${jane} block sender fix_sender blocked`,
    ],
    ['a status alone', deliveryReport([failed('', { Status: '5.1.1' })]), hardMailbox()],
    [
      'a status above the footer of a company that scans its mail for viruses',
      deliveryReport([failed('', { Status: '5.1.1' })], {
        text: 'Delivery to the following recipients failed.\n\n  jane@example.com\n\n\n**** This mail has been scanned for all viruses. ****',
      }),
      hardMailbox(),
    ],
    [
      'Sendmail writes dots between the mailbox and its words',
      deliveryReport([failed('smtp; 550 jane@example.com...User unknown')]),
      hardMailbox(),
    ],
    [
      'a host that spells mail-box so',
      deliveryReport([failed('smtp; 553 sorry, badrcptto(user mail-box not found) (#5.7.1)')]),
      hardMailbox(),
    ],
    [
      'a code word with underscores',
      deliveryReport([failed('smtp; 550 BAD_RECIPIENT - see http://mx.example.com/help')]),
      hardMailbox(),
    ],
    [
      'a mailbox that is not an active one of its host',
      deliveryReport([
        failed('smtp; 550 jane@example.com is not an active address at this host (invalid user name)'),
      ]),
      hardMailbox(),
    ],
    [
      'aliases in a circle, which Sendmail ends with an unknown user',
      deliveryReport([
        failed('smtp; 554 5.4.6 aliasing/forwarding loop broken (11 aliases deep; 10 max); User unknown'),
      ]),
      softHost('mail_loop'),
    ],
    [
      'a size limit without a sentence',
      deliveryReport([failed('smtp; 554 5.7.1 Message Rejected Class=size limit=15728640 size=18571048')]),
      `${jane} soft message fix_sender message_too_large`,
    ],
    [
      'a guest list that the sender is not on',
      deliveryReport([failed('X-Notice; Sender not pre-approved. Follow instructions', { Status: '4.7.0' })]),
      `${jane} block mailbox none mailbox_restricted`,
    ],
    [
      'a status beside a reply that says nothing is doubtful',
      deliveryReport([failed('smtp; 550 Requested action not taken', { Status: '5.1.1' })]),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'neither status nor reply say anything',
      deliveryReport([failed('smtp; 554 Transaction failed')]),
      `${jane} unclear unclear none refused_unexplained`,
    ],
    [
      'Gmail folds a reply of many lines',
      deliveryReport([
        failed(
          "smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces.",
          { Status: '5.1.1' },
        ),
      ]),
      hardMailbox(),
    ],
    [
      'a disabled account',
      deliveryReport([failed('smtp; 550 5.2.1 The email account that you tried to reach is disabled.')]),
      hardMailbox('mailbox_disabled'),
    ],
    [
      'Microsoft 365 and a mailbox that may not be synchronised yet',
      deliveryReport([failed('smtp;550 5.4.1 Recipient address rejected: Access denied.')]),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'Exchange Online',
      deliveryReport(
        [
          failed(
            'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient jane@example.com not found by SMTP address lookup',
            {
              'Final-Recipient': 'rfc822;jane@example.com',
              Status: '5.1.10',
              'X-Display-Name': 'jane@example.com',
            },
          ),
        ],
        { headers: { From: 'postmaster@tenant.test', 'Auto-Submitted': 'auto-replied' } },
      ),
      hardMailbox(),
    ],
    [
      'a person who takes no mail of this sender, with the code of a missing mailbox',
      deliveryReport([failed('smtp; 550 5.1.1 Refused due to recipient preferences', { Status: '5.1.1' })]),
      `${jane} block mailbox none mailbox_restricted`,
    ],
    [
      'a group that takes mail of members only',
      deliveryReport([
        failed('smtp;550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required'),
      ]),
      `${jane} block mailbox none mailbox_restricted`,
    ],
    [
      'over quota',
      deliveryReport([failed('smtp; 552 5.2.2 Mailbox size limit exceeded', { Status: '5.2.2' })]),
      `${jane} soft mailbox retry mailbox_full`,
    ],
    [
      'over quota in a local delivery',
      deliveryReport([failed('x-unix; quota exceeded', { Status: '5.2.2' })]),
      `${jane} soft mailbox retry mailbox_full`,
    ],
    [
      'content refused',
      deliveryReport([failed('smtp; 554 5.7.1 Message rejected as spam by Content Filtering')]),
      `${jane} block message fix_sender message_refused`,
    ],
    [
      'too large',
      deliveryReport([failed('smtp; 552 5.3.4 Message size exceeds fixed limit', { Status: '5.3.4' })]),
      `${jane} soft message fix_sender message_too_large`,
    ],
    [
      'a sender without reverse DNS',
      deliveryReport([
        failed('smtp; 550 5.7.25 The IP address sending this message does not have a PTR record'),
      ]),
      `${jane} block sender fix_sender blocked`,
    ],
    [
      'a sender domain that does not exist',
      deliveryReport([
        failed('smtp; 550 5.1.8 <news@sender.test>: Sender address rejected: Domain not found'),
      ]),
      `${jane} block sender fix_sender sender_refused`,
    ],
    [
      'DMARC',
      deliveryReport([
        failed(
          "smtp; 550 5.7.26 Unauthenticated email from sender.test is not accepted due to domain's DMARC policy",
        ),
      ]),
      `${jane} block sender fix_sender sender_refused`,
    ],
    [
      'throttled until it expired',
      deliveryReport([failed('smtp; 421 4.7.0 Too many connections, slow down', { Status: '4.4.7' })]),
      softHost('throttled'),
    ],
    [
      'greylisted for too long',
      deliveryReport([
        failed('smtp; 451 4.7.1 Greylisted, please try again in 300 seconds', { Status: '4.7.1' }),
      ]),
      softHost('greylisted'),
    ],
    [
      'a host that does not answer',
      deliveryReport([
        failed('X-Postfix; connect to mx.example.com[192.0.2.9]:25: Connection timed out', {
          Status: '4.4.1',
        }),
      ]),
      softHost('connection_timeout'),
    ],
    ['an expired message', deliveryReport([failed('', { Status: '4.4.7' })]), softHost('delivery_expired')],
    [
      'a domain that does not exist',
      deliveryReport([
        failed(
          'X-Postfix; Host or domain name not found. Name service error for name=example.com type=A: Host not found',
          { Status: '5.4.4' },
        ),
      ]),
      `${jane} hard domain suppress no_such_domain`,
    ],
    [
      'a name server that fails',
      deliveryReport([
        failed(
          'X-Postfix; Host or domain name not found. Name service error for name=example.com type=MX: Host not found, try again',
          { Status: '4.4.3' },
        ),
      ]),
      `${jane} soft domain retry dns_failed`,
    ],
    [
      'a null MX',
      deliveryReport([
        failed('X-Postfix; Domain example.com does not accept mail (nullMX)', { Status: '5.1.0' }),
      ]),
      `${jane} hard domain suppress no_mail_host`,
    ],
    [
      'a mail loop',
      deliveryReport([failed('X-Postfix; mail for example.com loops back to myself', { Status: '5.4.6' })]),
      softHost('mail_loop'),
    ],
    [
      'delayed is soft, whatever the reply',
      deliveryReport([failed('smtp; 450 4.1.1 User unknown', { Action: 'delayed', Status: '4.1.1' })]),
      `${jane} soft host retry temporary_failure`,
    ],
    [
      'delayed without a reply',
      deliveryReport([failed('', { Action: 'delayed', Status: '4.0.0' })]),
      softHost('delivery_delayed'),
    ],
    [
      'delivered',
      deliveryReport([failed('smtp; 250 2.0.0 OK', { Action: 'delivered', Status: '2.0.0' })]),
      `${jane} delivered mailbox none delivered`,
    ],
    [
      'relayed',
      deliveryReport([failed('', { Action: 'relayed', Status: '2.0.0' })]),
      `${jane} delivered mailbox none delivered`,
    ],
    [
      'Zoho writes a code as the status',
      deliveryReport([failed('550 5.1.1 User does not exist', { Status: '550' })]),
      hardMailbox(),
    ],
    [
      'mail.ru puts the action first and has no diagnostic',
      deliveryReport([{ Action: 'failed', 'Final-Recipient': 'rfc822;jane@example.com', Status: '5.1.1' }]),
      hardMailbox(),
    ],
    [
      'a server that explains in its text only',
      deliveryReport([failed('')], {
        text: 'Delivery failed:\n\n<jane@example.com>: 550 5.1.1 no such user\n',
      }),
      hardMailbox(),
    ],
    [
      'a status part that is encoded',
      multipart('multipart/report; report-type=delivery-status', fromServer, [
        {
          type: 'message/delivery-status',
          encoding: 'base64',
          text: Buffer.from(
            'Reporting-MTA: dns; a\n\nFinal-Recipient: rfc822; jane@example.com\nAction: failed\nStatus: 5.1.1\n',
          ).toString('base64'),
        },
      ]),
      hardMailbox(),
    ],
    [
      '163.com uses multipart/related',
      multipart('multipart/related', fromServer, [
        {
          type: 'message/delivery-status',
          text: 'Final-Recipient: rfc822; jane@example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; RCPT TO said 550 User not found: jane@example.com',
        },
      ]),
      hardMailbox(),
    ],
    [
      'an internationalised report',
      multipart('multipart/report; report-type=delivery-status', fromServer, [
        {
          type: 'message/global-delivery-status',
          text: 'Final-Recipient: utf-8; jäne@example.com\nAction: failed\nStatus: 5.1.1',
        },
      ]),
      'jäne@example.com hard mailbox suppress no_such_mailbox',
    ],
    [
      'a report that somebody passes on as an attachment is doubtful',
      multipart('multipart/mixed', { From: 'filter@gateway.test', Subject: 'FW' }, [
        {
          type: 'message/rfc822',
          text: deliveryReport([failed('', { Status: '5.1.1' })])
            .toString()
            .replaceAll('\r\n', '\n')
            .replaceAll('"part"', '"inner"')
            .replaceAll('--part', '--inner'),
        },
      ]),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
  ])('%s', (_, mail, expected) => expect(said(mail)).toEqual([expected]));

  it('judges each recipient alone', () => {
    const of = (name: string) => ({ 'Final-Recipient': `rfc822; ${name}@example.com` });
    const mail = deliveryReport([
      failed('smtp; 550 5.1.1 User unknown', of('dead')),
      failed('smtp; 452 4.2.2 Mailbox full', of('full')),
      failed('', { ...of('silent') }),
      failed('', { ...of('fine'), Action: 'delivered' }),
    ]);
    expect(said(mail)).toEqual([
      'dead@example.com hard mailbox suppress no_such_mailbox',
      'full@example.com soft mailbox retry mailbox_full',
      'silent@example.com unclear unclear none refused_unexplained',
      'fine@example.com delivered mailbox none delivered',
    ]);
  });

  it('names the address that the mail was sent to, and does not suppress it for one that it forwards to', () => {
    const mail = deliveryReport([
      failed('smtp; 550 5.1.1 User unknown', {
        'Original-Recipient': 'rfc822;jane@example.com',
        'Final-Recipient': 'rfc822; old@elsewhere.test',
      }),
    ]);
    expect(said(mail)).toEqual([hardMailbox('no_such_mailbox', 'retry')]);
  });

  it('tells the words that it rests on', () => {
    expect(explainMail(deliveryReport([failed('smtp; 550 5.1.1 User\n unknown')]))?.[0]).toMatchObject({
      rule: 'no-such-mailbox-by-wording',
      words: '550 5.1.1 User unknown',
    });
  });

  it('judges the first 100 recipients', () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      failed('', { 'Final-Recipient': `rfc822; u${index}@example.com` }),
    );
    expect(explainMail(deliveryReport(many))).toHaveLength(recipientsMax);
  });
});

describe('a refusal in the form of a read receipt, as Dovecot and Sieve write it', () => {
  const refused = (why: string) =>
    multipart('multipart/report; report-type=disposition-notification', fromServer, [
      { type: 'text/plain', text: `Your message to <${jane}> was automatically rejected:\n${why}` },
      {
        type: 'message/disposition-notification',
        text: `Final-Recipient: rfc822; ${jane}\nDisposition: automatic-action/MDN-sent-automatically; deleted`,
      },
    ]);

  it.each([
    ['Quota exceeded', `${jane} soft mailbox retry mailbox_full`],
    ['I do not want this.', `${jane} unclear unclear none refused_unexplained`],
  ])('%s', (why, expected) => expect(said(refused(why))).toEqual([expected]));
});

describe('reports without a status part', () => {
  const qmail = (words: string) =>
    `Hi. This is the qmail-send program at mx.sender.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<jane@example.com>:\n${words}\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <news@sender.test>\nTo: jane@example.com\nSubject: user unknown\n`;
  it.each<[string, Buffer, string]>([
    [
      'AOL, of a recipient who refuses the sender',
      textReport(
        `Your mail could not be delivered to ${jane} because they are not accepting mail from news@sender.test:`,
      ),
      `${jane} block mailbox none mailbox_restricted`,
    ],
    [
      'AOL, of a recipient who refuses attachments',
      textReport(`Your mail could not be delivered to ${jane}: not accepting mail with attachments`),
      `${jane} block message fix_sender message_refused`,
    ],
    [
      'IMail, of a mailbox that is not there, which may be any address',
      textReport(`Invalid final delivery userid: ${jane}\n\nOriginal message follows.\n`),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'IMail, of a host that it never reached',
      textReport(`Delivery failed 20 attempts: ${jane}\n\nOriginal message follows.\n`),
      softHost('delivery_expired'),
    ],
    [
      'IMail, of a full mailbox',
      textReport(`User mailbox exceeds allowed size: ${jane}\n\nOriginal message follows.\n`),
      `${jane} soft mailbox retry mailbox_full`,
    ],
    [
      'Demon, of mail that nobody collects',
      textReport(
        `The message, addressed to '${jane}', failed because it has not been collected after 30 days`,
      ),
      softHost('delivery_expired'),
    ],
    [
      'Postfix, of a filter of its own that fails',
      textReport(`<${jane}>: Command died with status 17: "/usr/sbin/amavis"`),
      softHost('temporary_failure'),
    ],
    [
      'a server without a name, which marks its report as an automatic answer',
      textReport(`You sent mail to ${jane}. That's not a valid user here.`, {
        From: '<>',
        Subject: '',
        'Auto-Submitted': 'auto-replied',
      }),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'a part whose type lacks the semicolon before its parameters',
      multipart('multipart/mixed', fromServer, [
        { type: 'text/plain\n   charset="iso-2022-jp"', text: `${jane} [User unknown]` },
      ]),
      hardMailbox(),
    ],
    [
      'Notes in Japanese, with the reason before the recipient',
      textReport(`------- Failure Reasons  --------\n\nディレクトリのリストにありません\n${jane}\n`, {
        'Content-Type': 'text/plain; charset=utf-8',
      }),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'Hotmail, of a domain that it did not reach',
      deliveryReport([
        failed('smtp;554 The mail could not be delivered because the domain is not reachable', {
          Status: '5.5.0',
        }),
      ]),
      softHost('connection_timeout'),
    ],
    [
      'a transcript with the reason in another line than the code',
      textReport(`<${jane}>\nmail.local: unknown user: jane\n554 <${jane}>... Service unavailable\n`),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'Biglobe, of a mailbox with too many messages',
      textReport(`${jane}\nThe number of messages in recipient's mailbox exceeded the local limit.\n`),
      `${jane} soft mailbox retry mailbox_full`,
    ],
    [
      'Domino in Japanese',
      deliveryReport([failed(`X-Notes; ${jane} は Domino ディレクトリには見つかりません。`)]),
      hardMailbox(),
    ],
    [
      'a mail with blank lines before its headers',
      Buffer.from(`   \r\n\r\n${textReport(`<${jane}>:\n550 5.1.1 User unknown\n`)}`),
      hardMailbox(),
    ],
    [
      'Mail.Ru, which marks its reports as automatic answers',
      textReport(
        `The following error was given:\n\n Local mailbox ${jane} is unavailable: user not found\n`,
        { Subject: 'Ваше сообщение не доставлено', 'Auto-Submitted': 'auto-replied' },
      ),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'qmail: no mailbox',
      textReport(qmail('Sorry, no mailbox here by that name. (#5.1.1)'), { Subject: 'failure notice' }),
      hardMailbox(),
    ],
    [
      'qmail: no host',
      textReport(qmail("Sorry, I couldn't find any host named example.com. (#5.1.2)"), {
        Subject: 'failure notice',
      }),
      `${jane} hard domain suppress no_such_domain`,
    ],
    [
      'qmail: the reply of a host',
      textReport(
        qmail(
          '192.0.2.7 does not like recipient.\nRemote host said: 550 5.1.1 <jane@example.com>: user unknown\nGiving up on 192.0.2.7.',
        ),
        { Subject: 'failure notice' },
      ),
      hardMailbox(),
    ],
    [
      'qmail: no connection',
      textReport(
        qmail(
          "Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again; this message has been in the queue too long.",
        ),
        { Subject: 'failure notice' },
      ),
      softHost('delivery_expired'),
    ],
    [
      'Yahoo: a code with a colon',
      textReport(
        'Sorry, we were unable to deliver your message to the following address.\n\n<jane@example.com>:\n550: 5.1.1 <jane@example.com>: Email address could not be found, or was misspelled\n\n--- Below this line is a copy of the message.\n',
        { From: 'MAILER-DAEMON@yahoo.com', 'Content-Type': 'multipart/report; report-type=delivery-status' },
      ),
      hardMailbox(),
    ],
    [
      'Exim',
      textReport(
        'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  jane@example.com\n    SMTP error from remote mail server after RCPT TO:<jane@example.com>:\n    host mx.example.com [192.0.2.1]: 550 5.1.1 User unknown\n\n------ This is a copy of the message, including all the headers. ------\n',
        { 'X-Failed-Recipients': jane, Subject: 'Mail delivery failed: returning message to sender' },
      ),
      hardMailbox(),
    ],
    [
      'Exim: an address without a route',
      textReport('The following address(es) failed:\n\n  jane@example.com\n    Unrouteable address\n', {
        'X-Failed-Recipients': jane,
      }),
      hardMailbox(),
    ],
    [
      'Exim: a warning',
      textReport(
        'A message that you sent has not yet been delivered to one or more of its recipients after more than 24 hours on the queue.\nThe address to which the message has not yet been delivered is:\n\n  jane@example.com\n\nNo action is required on your part. Delivery attempts will continue for some time.\n',
        { Subject: 'Warning: message delayed 24 hours' },
      ),
      softHost('delivery_delayed'),
    ],
    [
      'Exchange 2003',
      textReport(
        'Your message\n\n  To:      jane@example.com\n  Subject: Our autumn offers\n  Sent:    Mon, 16 Nov 2026 09:00:00 +0000\n\ndid not reach the following recipient(s):\n\njane@example.com on Mon, 16 Nov 2026 09:00:05 +0000\n    The e-mail account does not exist at the organization this message was sent to. Check the e-mail address.\n',
        {
          From: 'System Administrator <postmaster@example.com>',
          Subject: 'Undeliverable: Our autumn offers',
        },
      ),
      hardMailbox(),
    ],
    [
      'Domino',
      textReport(
        'Your message\n\n  Subject: Our autumn offers\n\nwas not delivered to:\n\n  jane@example.com\n\nbecause:\n\n  User jane (jane@example.com) not listed in Domino Directory\n',
        { Subject: 'DELIVERY FAILURE: User jane (jane@example.com) not listed in Domino Directory' },
      ),
      hardMailbox(),
    ],
    [
      'a Japanese carrier, in ISO-2022-JP',
      mailOfJapanese(
        '次のメールアドレスへのメッセージは送信できませんでした。\n\n<jane@example.com>:\n宛先のメールアドレスが存在しません\n',
      ),
      hardMailbox(),
    ],
    [
      'a Japanese carrier: the mailbox is full',
      mailOfJapanese('<jane@example.com>:\nメールボックスの容量を超えています\n'),
      `${jane} soft mailbox retry mailbox_full`,
    ],
    [
      'HTML only',
      textReport(
        '<html><head><style>p{color:red}</style></head><body><p>Delivery failed</p><p>&lt;jane@example.com&gt;: 550 5.1.1 User&nbsp;unknown</p></body></html>',
        { 'Content-Type': 'text/html' },
      ),
      hardMailbox(),
    ],
    [
      'quoted-printable',
      textReport('<jane@example.com>: 550 5.1.1 User unkno=\nwn', {
        'Content-Transfer-Encoding': 'quoted-printable',
      }),
      hardMailbox(),
    ],
    [
      'French',
      textReport(
        "Votre message n'a pas pu être remis.\n\njane@example.com\nL'adresse de messagerie n'existe pas.\n",
        { Subject: 'Non remis : nos offres' },
      ),
      hardMailbox(),
    ],
    [
      'a reason in front of the recipient is doubtful',
      textReport('The mailbox of this person does not exist:\n\njane@example.com\n'),
      hardMailbox('no_such_mailbox', 'retry'),
    ],
    [
      'lines that end in CR alone',
      Buffer.from(
        textReport('<jane@example.com>:\n550 5.1.1 User unknown\n').toString().replaceAll('\r\n', '\r'),
      ),
      hardMailbox(),
    ],
    [
      'no reason',
      textReport('Delivery to the following recipient failed permanently:\n\n  jane@example.com\n'),
      `${jane} unclear unclear none refused_unexplained`,
    ],
    [
      'nobody is named',
      textReport('Your message was refused: 554 5.7.1 Message rejected as spam\n'),
      ' block message fix_sender message_refused',
    ],
  ])('%s', (_, mail, expected) => expect(said(mail)).toEqual([expected]));

  it('judges each recipient by its own sentences', () => {
    const mail = textReport(
      "I'm afraid I wasn't able to deliver your message.\n\n<dead@example.com>:\n550 5.1.1 User unknown\n\n<full@example.com>:\n452 4.2.2 Over quota\n",
      { Subject: 'failure notice' },
    );
    expect(said(mail)).toEqual([
      'dead@example.com hard mailbox suppress no_such_mailbox',
      'full@example.com soft mailbox retry mailbox_full',
    ]);
  });

  it('suppresses no address that a report only mentions', () => {
    const mail = textReport('Mailbox unknown. If you have questions, write to info@example.com about it.\n');
    expect(said(mail)).toEqual(['info@example.com hard mailbox retry no_such_mailbox']);
  });

  it('suppresses nobody for what a person writes', () => {
    const mail = mailOf(
      { From: 'joe@example.com', Subject: 'Delivery failed?' },
      '<jane@example.com>: 550 5.1.1 User unknown\n',
    );
    expect(said(mail)).toEqual([hardMailbox('no_such_mailbox', 'retry')]);
  });

  it('reads a report of nobody in particular that returns the mail', () => {
    const mail = multipart('multipart/mixed', { From: 'no-reply@carrier.test', Subject: 'Notice' }, [
      {
        type: 'text/plain',
        text: 'Could not be delivered to: <jane@example.com>\nAs their mailbox is full.',
      },
      { type: 'message/rfc822', text: 'From: news@sender.test\nTo: jane@example.com\n\nHello' },
    ]);
    expect(said(mail)).toEqual([`${jane} soft mailbox retry mailbox_full`]);
  });

  it('does not take a mailing list in the returned headers for who failed', () => {
    const mail = textReport(
      'Your message\n\n  To:      list@lists.test\n  Subject: Hello\n\ndid not reach the following recipient(s):\n\njane@example.com on Mon, 16 Nov 2026\n    Unknown Recipient\n',
      { Subject: 'Undeliverable: Hello' },
    );
    expect(said(mail)).toEqual([hardMailbox()]);
  });
});

function mailOfJapanese(text: string): Buffer {
  // Node encodes no ISO-2022-JP, but its decoder reads Shift_JIS and UTF-8 alike; carriers use UTF-8 today.
  return mailOf(
    {
      ...fromServer,
      Subject: `=?utf-8?B?${Buffer.from('配信エラー').toString('base64')}?=`,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': 'base64',
    },
    Buffer.from(text).toString('base64'),
  );
}

describe('complaints', () => {
  it.each<[string, Buffer, string]>([
    [
      'abuse',
      feedbackReport(['Feedback-Type: abuse', 'Version: 1', 'Original-Rcpt-To: jane@example.com']),
      `${jane} complaint mailbox suppress complaint`,
    ],
    [
      'a recipient in the returned mail only',
      feedbackReport(['Feedback-Type: abuse', 'Version: 1']),
      `${jane} complaint mailbox suppress complaint`,
    ],
    [
      'not spam is the opposite',
      feedbackReport(['Feedback-Type: not-spam', 'Original-Rcpt-To: <jane@example.com>']),
      `${jane} delivered mailbox none not_spam`,
    ],
    [
      'an authentication report is none',
      feedbackReport(['Feedback-Type: auth-failure', 'Original-Rcpt-To: jane@example.com']),
      `${jane} unclear sender fix_sender authentication_report`,
    ],
    [
      'opt-out',
      feedbackReport(['Feedback-Type: opt-out', 'Original-Rcpt-To: jane@example.com']),
      `${jane} complaint mailbox suppress unsubscribed`,
    ],
    [
      'Hotmail without a feedback part',
      multipart('multipart/mixed', { From: 'staff@hotmail.com', Subject: 'complaint about message' }, [
        {
          type: 'message/rfc822',
          text: 'X-HmXmrOriginalRecipient: jane@example.com\nFrom: news@sender.test\nTo: undisclosed\n\nHello',
        },
      ]),
      `${jane} complaint mailbox suppress complaint`,
    ],
  ])('%s', (_, mail, expected) => expect(said(mail)).toEqual([expected]));

  it('name every recipient of the report', () => {
    const mail = feedbackReport([
      'Feedback-Type: abuse',
      'Original-Rcpt-To: a@example.com',
      'Original-Rcpt-To: b@example.com',
    ]);
    expect(said(mail).map((line) => line.split(' ')[0])).toEqual(['a@example.com', 'b@example.com']);
  });
});

describe('automatic answers', () => {
  const answer = (headers: Readonly<Record<string, string>>) =>
    mailOf(
      { From: 'Jane <jane@example.com>', To: 'news@sender.test', Subject: 'Re: offers', ...headers },
      'I am away. My old address old@example.com does not exist any more: 550 5.1.1 user unknown.\n',
    );
  it.each<[string, Readonly<Record<string, string>>]>([
    ['RFC 3834', { 'Auto-Submitted': 'auto-replied' }],
    ['RFC 3834 with parameters', { 'Auto-Submitted': 'auto-replied; owner-email="jane@example.com"' }],
    ['Precedence', { Precedence: 'auto_reply' }],
    ['X-Autoreply', { 'X-Autoreply': 'yes' }],
    ['Outlook', { Subject: 'Automatic reply: offers' }],
    ['German', { Subject: 'Automatische Antwort: offers' }],
    ['an encoded subject', { Subject: '=?utf-8?Q?R=C3=A9ponse_automatique?=' }],
  ])('%s', (_, headers) =>
    expect(said(answer(headers))).toEqual([`${jane} auto_reply mailbox none auto_reply`]),
  );
});

it('an answer to nobody that looks like no report is automatic', () => {
  const mail = (returnPath: string) =>
    mailOf({ 'Return-Path': returnPath, From: jane, Subject: 'Thank you for your mail' }, 'I answer soon.');
  expect(said(mail('<>'))).toEqual([`${jane} auto_reply mailbox none auto_reply`]);
  expect(said(mail(`<${jane}>`))).toEqual(['null unclear unclear none no_report'.replace('null', '')]);
});

describe('other mail', () => {
  it('is unclear if a person wrote it', () => {
    expect(
      said(mailOf({ From: jane, To: 'news@sender.test', Subject: 'Hello' }, 'User unknown? No.\n')),
    ).toEqual([' unclear unclear none no_report']);
  });
  it.each([
    ['nothing', ''],
    ['bytes', '\0\x01\x02'],
    ['a sentence', 'hello world'],
    ['blank lines', '\r\n\r\n\r\n'],
  ])('is not read: %s', (_, text) => expect(explainMail(Buffer.from(text))).toBeUndefined());
});
