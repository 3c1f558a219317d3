import { phrases, reacher, readAt, sisimai, zoneMta } from './phrases.ts';
import type { ReplyRule } from './rule.ts';
import { senderWords, vendors } from './shared-phrases.ts';

/** Refusals of our sender, our address, our HELO name or our DNS. They say nothing about the mailbox. */
export const aboutUs: readonly ReplyRule[] = [
  {
    id: 'named-blocklist',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    note: "The name of a list operator settles it, also where the sentence begins with 'Recipient address rejected'.",
    ...vendors,
  },
  {
    id: 'blocklist',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    ...phrases(
      /black ?-?list/,
      [
        /block ?-?list(?:ed)?/,
        sisimai.microsoft`550 5.7.1 Unfortunately, messages from [10.0.2.5] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).`,
        reacher`554 gmx.net (mxgmx117) Nemesis ESMTP Service not available\nNo SMTP service\nIP address is block listed.\nFor explanation visit https://www.gmx.net/mail/senderguidelines?c=bl`,
      ],
      /blocked using|\brbl\b|dnsbl/,
      [
        /attrbl/,
        zoneMta`553 5.3.0 flph825 DNSBL:ATTRBL 521< 1.2.3.4 >_is_blocked.For assistance forward this email to abuse@example.com`,
      ],
      /\bxbl\b|\bsbl\b|is listed (?:at|in|on|by)/,
      [
        /found (?:in|on) (?:one or more |the |our |a )?\S*(?:list|dns)/,
        zoneMta`554 resimta-po-11v.sys.comcast.net 1.2.3.4 found on one or more DNSBLs, see http://postmaster.comcast.net/smtp-error-codes.php#BL000010`,
      ],
      [/listed (?:at|in) [a-z0-9-]+\.[a-z]/, zoneMta`550 5.7.1 1.2.3.4 listed at dnsbl.example.com`],
      [
        /spammer/,
        zoneMta`553 5.7.1 <hostname[1.2.3.4]>: Client host rejected: Relaying denied - Your IP identified as spammer. Please contact 123`,
      ],
      /junkmail|sending spam|real ?time block/,
    ),
  },
  {
    id: 'our-address',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    provider: 'T-Online, Mail.ru',
    ...phrases(
      [
        /\bip=\[?[\da-f.:]+\]? - /,
        readAt(
          'github.com/sisimai, test cases of the reason blocked',
        )`554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)`,
      ],
      [
        /access from (?:your )?(?:ip|host)\b/,
        readAt(
          'Mail.ru, the page that the reply names',
        )`550 Access from ip address 192.0.2.1 blocked. Visit http://help.mail.ru/notspam-support/id?c=x`,
      ],
      /a problem occurred\. \(?ask your postmaster/,
    ),
  },
  {
    id: 'reputation',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    provider: 'Yahoo, Microsoft, Gmail, Mimecast, Cisco',
    ...phrases(
      [
        /reputation/,
        zoneMta`554-mx.example.com\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.`,
        sisimai.mimecast`550 local CT IP reputation - (reject)`,
      ],
      [
        /banned send/,
        zoneMta`550 5.7.606 Access denied, banned sending IP [1.2.3.4]. To request removal from this list please visit https://sender.office.com/`,
        zoneMta`550 5.7.511 Access denied, banned sender[1.2.3.4]. To request removal from this list please forward this message`,
      ],
      [
        /user complaints/,
        sisimai.yahooinc`421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes`,
      ],
      [
        /will be permanently deferred/,
        sisimai.yahooinc`553 5.7.2 [TSS09] All messages from 192.0.2.25 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes`,
      ],
      [
        /not accepted for policy reasons/,
        sisimai.yahooinc`554 Message not allowed - [PH01] Email not accepted for policy reasons. Please visit https://postmaster.yahooinc.com/error-codes`,
      ],
      [
        /unusual rate of/,
        sisimai.google`421 4.7.28 Gmail has detected an unusual rate of mail originating from your IP address 192.0.2.25`,
      ],
      /unsolicited mail|ip temporarily blacklisted|sender address blocked/,
    ),
  },
  {
    id: 'aol-block-codes',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    provider: 'AOL',
    ...phrases([
      /\(?\b(?:rtr|rly|con|dyn|hvu):[a-z]{1,2}\d?\b/,
      zoneMta`554 (RTR:BL) http://postmaster.info.aol.com/errors/554rtrbl.html`,
    ]),
  },
  {
    id: 'mimecast-holds-us-off',
    meaning: 'no_answer',
    reason: 'blocked',
    provider: 'Mimecast',
    ...phrases(
      [
        /internal resources (?:are )?temporarily unavailable/,
        sisimai.mimecast`451 Internal resources are temporarily unavailable`,
      ],
      [
        /envelope (?:blocked|rejected)/,
        sisimai.mimecast`550 Administrative prohibition envelope blocked`,
        sisimai.mimecast`550 SPF Sender Invalid - envelope rejected`,
      ],
      /anti-spoofing policy|host network,? not allowed|account service is temporarily unavailable/,
    ),
  },
  {
    id: 'barracuda-recipient-blocks',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^5/,
    provider: 'Barracuda',
    ...phrases([
      /permanent failure for one or more recipients \(?<>:blocked/,
      zoneMta`550 permanent failure for one or more recipients (user@example.com:blocked)`,
    ]),
  },
  {
    id: 'reverse-name',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    ...phrases(
      [
        /reverse (?:dns|hostname|ip)/,
        reacher`450 4.7.1 Client host rejected: cannot find your reverse hostname, [147.75.45.223]`,
      ],
      [
        /\bptr\b/,
        sisimai.requireptr`550 5.7.25 The IP address sending this message does not have a PTR record`,
      ],
      [
        /cannot find your (?:reverse )?hostname/,
        reacher`450 4.7.25 Client host rejected: cannot find your hostname, [147.75.45.223]`,
      ],
      /forged|dynamic ip|no rdns|fcrdns/,
    ),
  },
  {
    id: 'sender-or-helo',
    meaning: 'no_answer',
    reason: 'sender_refused',
    code: /^[45]/,
    note: "Hosts often keep the refusal of MAIL or HELO back until RCPT. A sender call-out quotes 'no such user' of our own address, so this stands above every rule about mailboxes.",
    ...phrases(
      [
        /sender (?:address )?(?:rejected|verify|verification|denied|invalid|domain)/,
        sisimai.apple`450 4.1.8 <kijitora@example.jp>: Sender address rejected: Domain not found`,
        readAt(
          'exim.org, specification chapter 44 (callout verification)',
        )`550-Verification failed for <verify@example.com>\n550-Called: 192.0.2.1\n550-Response: 550 No such user here\n550 Sender verify failed`,
      ],
      [/invalid sender/, sisimai.franceptt`501 5.1.0 Emetteur invalide. Invalid Sender. OFR004_405 [405]`],
      /emetteur invalide/,
      [
        /helo command rejected/,
        readAt(
          'postfix.org, postconf reject_non_fqdn_helo_hostname',
        )`504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname`,
      ],
      /bad helo|helo\/ehlo argument/,
    ),
  },
  {
    id: 'sender-by-code',
    meaning: 'no_answer',
    reason: 'sender_refused',
    enhanced: /^[45]\.1\.[78]$/,
    taughtBy: [sisimai.microsoft`550 5.1.8 Access denied, bad outbound sender`],
  },
  {
    id: 'relay-or-login',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^[45]/,
    ...phrases(
      [
        /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:permitted|allowed))/,
        sisimai.apple`554 5.7.1 <recipient@example.com>: Relay access denied`,
        reacher`550 relay not permitted!`,
      ],
      /not permitted to relay|unable to relay|authentication (?:is )?required|must authenticate/,
      [
        /client host rejected/,
        reacher`554 5.7.1 <mta.voipdir.net[192.0.2.1]>: Client host rejected: Access denied`,
      ],
      /administratively denied|administrative prohibition|not authorized/,
      [/not allowed to (?:connect|send)/, zoneMta`554 5.7.1 You are not allowed to connect`],
      /not accepting connections|connection rejected|local policy|policy violation/,
    ),
  },
];

/** For replies whose subject is us, in words that none of the rules above knows. */
export const aboutUsOtherwise: readonly ReplyRule[] = [
  {
    id: 'sender-in-other-words',
    meaning: 'no_answer',
    reason: 'sender_refused',
    code: /^5/,
    note: "A domain or host that 'does not exist' in a reply without a word about the mailbox is taken for ours.",
    ...phrases(
      ...senderWords.phrases,
      /\byour (?:e-?mail )?(?:address|account|mailbox) |return[ -]path|\b(?:domain|host|hostname|mx)\b/,
    ),
  },
  {
    id: 'us-in-other-words',
    meaning: 'no_answer',
    reason: 'blocked',
    code: /^5/,
    taughtBy: [readAt('RFC 7372 §3.4')`550 5.7.26 Multiple authentication checks failed`],
  },
];
