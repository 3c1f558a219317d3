import { phrases, reacher, readAt, sisimai, zoneMta } from './phrases.ts';

/** The vendors of lists and filters, by their names. */
export const vendors = phrases(
  [
    /spamhaus/,
    zoneMta`554 5.7.1 <recipient@example.com>: Recipient address rejected: https://www.spamhaus.org/query/ip/11.22.33.44`,
    zoneMta`550 5.2.1 Mailbox unavailable. Your IP address 11.22.33.44 is blacklisted using SPAMHAUS-XBL. Details: https://www.spamhaus.org/query/ip/11.22.33.44.`,
    zoneMta`553 5.7.1 [BL21] Connections will not be accepted from 11.22.33.44, because the ip is in Spamhaus's list; see https://help.yahoo.com/kb/postmaster/SLN5070.html`,
  ],
  /sorbs\.net|spamcop|abusix|barracuda(?:central|networks)|cloudmark|senderbase|senderscore|spamrl/,
  /hostkarma|uribl/,
  [
    /proofpoint/,
    reacher`554 Blocked - see https://ipcheck.proofpoint.com/?ip=23.129.64.192`,
    sisimai.apple`550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.1.2`,
  ],
  /mail-abuse\.com|cobion/,
  [
    /csi\.mimecast/,
    zoneMta`550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [vH7Ns8biNg-p6EfZ0QaVMQ.us149]`,
  ],
  /sophos|trend ?micro|symantec/,
  [
    /postmaster\.live\.com/,
    sisimai.microsoft`451 4.7.650 The mail server [192.0.2.5] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)`,
  ],
);

const sendmail = readAt('sendmail.org, cf/m4/proto.m4');

/** What hosts call our sender, and how we introduce it. */
export const senderWords = phrases(
  [/\bsenders?\b/, sendmail`553 Domain of sender address verify@example.com does not exist`],
  [/\bmail from\b/, sendmail`553 5.5.4 Domain name required for mail from address`],
  /\bfrom:? address\b|\baddress in from\b|\bsending from\b|\boriginator\b|originating address/,
  /\bcall-?(?:back|out)\b|envelope from|exp[eé]diteur|emetteur|remitente|mittente|absender|\b(?:helo|ehlo)\b/,
);
