import { type ReplyRule, reacher, sisimai, zoneMta } from './rule.ts';

/** Refusals of our sender, our address, our HELO name or our DNS. They say nothing about the mailbox. */
export const aboutUs: readonly ReplyRule[] = [
  {
    id: 'named-blocklist',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /spamhaus|sorbs\.net|spamcop|abusix|barracuda(?:central|networks)|cloudmark|senderbase|senderscore|spamrl|hostkarma|uribl|proofpoint|mail-abuse\.com|cobion|csi\.mimecast|sophos|trend ?micro|symantec|postmaster\.live\.com/,
    note: "The name of a list operator settles it, also where the sentence begins with 'Recipient address rejected'.",
    taughtBy: [
      {
        reply:
          '554 5.7.1 <recipient@example.com>: Recipient address rejected: https://www.spamhaus.org/query/ip/11.22.33.44',
        source: zoneMta,
      },
      {
        reply:
          '550 5.2.1 Mailbox unavailable. Your IP address 11.22.33.44 is blacklisted using SPAMHAUS-XBL. Details: https://www.spamhaus.org/query/ip/11.22.33.44.',
        source: zoneMta,
      },
      {
        reply:
          "553 5.7.1 [BL21] Connections will not be accepted from 11.22.33.44, because the ip is in Spamhaus's list; see https://help.yahoo.com/kb/postmaster/SLN5070.html",
        source: zoneMta,
      },
      { reply: '554 Blocked - see https://ipcheck.proofpoint.com/?ip=23.129.64.192', source: reacher },
      {
        reply: '550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.1.2',
        source: sisimai('rhost/apple'),
      },
      {
        reply:
          '550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [vH7Ns8biNg-p6EfZ0QaVMQ.us149]',
        source: zoneMta,
      },
      {
        reply:
          '451 4.7.650 The mail server [192.0.2.5] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)',
        source: sisimai('rhost/microsoft'),
      },
    ],
  },
  {
    id: 'blocklist',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /black ?-?list|block ?-?list(?:ed)?|blocked using|\brbl\b|dnsbl|attrbl|\bxbl\b|\bsbl\b|is listed (?:at|in|on|by)|found (?:in|on) (?:one or more |the |our |a )?\S*(?:list|dns)|listed (?:at|in) [a-z0-9-]+\.[a-z]|spammer|junkmail|sending spam|real ?time block/,
    taughtBy: [
      {
        reply:
          '553 5.3.0 flph825 DNSBL:ATTRBL 521< 1.2.3.4 >_is_blocked.For assistance forward this email to abuse@example.com',
        source: zoneMta,
      },
      {
        reply:
          "550 5.7.1 Unfortunately, messages from [10.0.2.5] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
        source: sisimai('rhost/microsoft'),
      },
      {
        reply:
          '554 gmx.net (mxgmx117) Nemesis ESMTP Service not available\nNo SMTP service\nIP address is block listed.\nFor explanation visit https://www.gmx.net/mail/senderguidelines?c=bl',
        source: reacher,
      },
      { reply: '550 5.7.1 1.2.3.4 listed at dnsbl.example.com', source: zoneMta },
      {
        reply:
          '554 resimta-po-11v.sys.comcast.net 1.2.3.4 found on one or more DNSBLs, see http://postmaster.comcast.net/smtp-error-codes.php#BL000010',
        source: zoneMta,
      },
      {
        reply:
          '553 5.7.1 <hostname[1.2.3.4]>: Client host rejected: Relaying denied - Your IP identified as spammer. Please contact 123',
        source: zoneMta,
      },
    ],
  },
  {
    id: 'our-address',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /\bip=\[?[\da-f.:]+\]? - |access from (?:your )?(?:ip|host)\b|a problem occurred\. \(?ask your postmaster/,
    provider: 'T-Online, Mail.ru',
    taughtBy: [
      {
        reply:
          '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)',
        source: 'github.com/sisimai, test cases of the reason blocked',
      },
      {
        reply:
          '550 Access from ip address 192.0.2.1 blocked. Visit http://help.mail.ru/notspam-support/id?c=x',
        source: 'Mail.ru, the page that the reply names',
      },
    ],
  },
  {
    id: 'reputation',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /reputation|banned send|user complaints|will be permanently deferred|not accepted for policy reasons|unusual rate of|unsolicited mail|ip temporarily blacklisted|sender address blocked/,
    provider: 'Yahoo, Microsoft, Gmail, Mimecast, Cisco',
    taughtBy: [
      {
        reply:
          '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
        source: sisimai('rhost/yahooinc'),
      },
      {
        reply:
          '553 5.7.2 [TSS09] All messages from 192.0.2.25 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes',
        source: sisimai('rhost/yahooinc'),
      },
      {
        reply:
          '554 Message not allowed - [PH01] Email not accepted for policy reasons. Please visit https://postmaster.yahooinc.com/error-codes',
        source: sisimai('rhost/yahooinc'),
      },
      {
        reply:
          '550 5.7.606 Access denied, banned sending IP [1.2.3.4]. To request removal from this list please visit https://sender.office.com/',
        source: zoneMta,
      },
      {
        reply:
          '550 5.7.511 Access denied, banned sender[1.2.3.4]. To request removal from this list please forward this message',
        source: zoneMta,
      },
      {
        reply:
          "554-mx.example.com\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
        source: zoneMta,
      },
      { reply: '550 local CT IP reputation - (reject)', source: sisimai('rhost/mimecast') },
      {
        reply:
          '421 4.7.28 Gmail has detected an unusual rate of mail originating from your IP address 192.0.2.25',
        source: sisimai('rhost/google'),
      },
    ],
  },
  {
    id: 'aol-block-codes',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /\(?\b(?:rtr|rly|con|dyn|hvu):[a-z]{1,2}\d?\b/,
    provider: 'AOL',
    taughtBy: [
      { reply: '554 (RTR:BL) http://postmaster.info.aol.com/errors/554rtrbl.html', source: zoneMta },
    ],
  },
  {
    id: 'mimecast-holds-us-off',
    meaning: 'no_answer',
    reason: 'blocked',
    text: /internal resources (?:are )?temporarily unavailable|envelope (?:blocked|rejected)|anti-spoofing policy|host network,? not allowed|account service is temporarily unavailable/,
    provider: 'Mimecast',
    taughtBy: [
      { reply: '451 Internal resources are temporarily unavailable', source: sisimai('rhost/mimecast') },
      { reply: '550 Administrative prohibition envelope blocked', source: sisimai('rhost/mimecast') },
      { reply: '550 SPF Sender Invalid - envelope rejected', source: sisimai('rhost/mimecast') },
    ],
  },
  {
    id: 'barracuda-recipient-blocks',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^5/,
    text: /permanent failure for one or more recipients \(?<>:blocked/,
    provider: 'Barracuda',
    taughtBy: [
      {
        reply: '550 permanent failure for one or more recipients (user@example.com:blocked)',
        source: zoneMta,
      },
    ],
  },
  {
    id: 'reverse-name',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /reverse (?:dns|hostname|ip)|\bptr\b|cannot find your (?:reverse )?hostname|forged|dynamic ip|no rdns|fcrdns/,
    taughtBy: [
      {
        reply: '450 4.7.1 Client host rejected: cannot find your reverse hostname, [147.75.45.223]',
        source: reacher,
      },
      {
        reply: '450 4.7.25 Client host rejected: cannot find your hostname, [147.75.45.223]',
        source: reacher,
      },
      {
        reply: '550 5.7.25 The IP address sending this message does not have a PTR record',
        source: sisimai('reason/requireptr'),
      },
    ],
  },
  {
    id: 'sender-or-helo',
    meaning: 'no_answer',
    reason: 'sender_refused',
    code: /^[45]/,
    text: /sender (?:address )?(?:rejected|verify|verification|denied|invalid|domain)|invalid sender|emetteur invalide|helo command rejected|bad helo|helo\/ehlo argument/,
    note: "Hosts often keep the refusal of MAIL or HELO back until RCPT. A sender call-out quotes 'no such user' of our own address, so this stands above every rule about mailboxes.",
    taughtBy: [
      {
        reply: '450 4.1.8 <kijitora@example.jp>: Sender address rejected: Domain not found',
        source: sisimai('rhost/apple'),
      },
      {
        reply: '501 5.1.0 Emetteur invalide. Invalid Sender. OFR004_405 [405]',
        source: sisimai('rhost/franceptt'),
      },
      {
        reply:
          '550-Verification failed for <verify@example.com>\n550-Called: 192.0.2.1\n550-Response: 550 No such user here\n550 Sender verify failed',
        source: 'exim.org, specification chapter 44 (callout verification)',
      },
      {
        reply: '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname',
        source: 'postfix.org, postconf reject_non_fqdn_helo_hostname',
      },
    ],
  },
  {
    id: 'sender-by-code',
    meaning: 'no_answer',
    reason: 'sender_refused',
    enhanced: /^[45]\.1\.[78]$/,
    taughtBy: [{ reply: '550 5.1.8 Access denied, bad outbound sender', source: sisimai('rhost/microsoft') }],
  },
  {
    id: 'relay-or-login',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    text: /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:permitted|allowed))|not permitted to relay|unable to relay|authentication (?:is )?required|must authenticate|client host rejected|administratively denied|administrative prohibition|not authorized|not allowed to (?:connect|send)|not accepting connections|connection rejected|local policy|policy violation/,
    taughtBy: [
      { reply: '554 5.7.1 <recipient@example.com>: Relay access denied', source: sisimai('rhost/apple') },
      {
        reply: '554 5.7.1 <mta.voipdir.net[192.0.2.1]>: Client host rejected: Access denied',
        source: reacher,
      },
      { reply: '550 relay not permitted!', source: reacher },
      { reply: '554 5.7.1 You are not allowed to connect', source: zoneMta },
    ],
  },
];

/** For replies whose subject is us, in words that none of the rules above knows. */
export const aboutUsOtherwise: readonly ReplyRule[] = [
  {
    id: 'sender-in-other-words',
    meaning: 'no_answer',
    reason: 'sender_refused',
    code: /^5/,
    text: /\bsenders?\b|\bmail from\b|\bfrom:? address\b|\baddress in from\b|\bsending from\b|\boriginator\b|originating address|\bcall-?(?:back|out)\b|\byour (?:e-?mail )?(?:address|account|mailbox) |return[ -]path|envelope from|exp[eé]diteur|emetteur|remitente|mittente|absender|\b(?:helo|ehlo)\b|\b(?:domain|host|hostname|mx)\b/,
    note: "A domain or host that 'does not exist' in a reply without a word about the mailbox is taken for ours.",
    taughtBy: [
      {
        reply: '553 Domain of sender address verify@example.com does not exist',
        source: 'sendmail.org, cf/m4/proto.m4',
      },
      {
        reply: '553 5.5.4 Domain name required for mail from address',
        source: 'sendmail.org, cf/m4/proto.m4',
      },
    ],
  },
  {
    id: 'us-in-other-words',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^5/,
    taughtBy: [{ reply: '550 5.7.26 Multiple authentication checks failed', source: 'RFC 7372 §3.4' }],
  },
];
