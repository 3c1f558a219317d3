import { anyOf } from './rules/phrases.ts';
import { senderWords, vendors } from './rules/shared-phrases.ts';

/**
 * Whom a refusal is about, as far as it says: `us` is our sender, address, HELO name or DNS. The subject decides before the
 * words do: 'does not exist' may be said of the mailbox, of our sender's domain or of our HELO name.
 */
export type Subject = 'us' | 'message' | 'mailbox' | 'unclear';

/** Refuses us in so many words, whatever the code: a sender call-out quotes 5.1.1 and 'no such user' of our own address. */
const refusesUs = anyOf(
  /sender (?:address )?(?:rejected|verify|verification|denied|invalid|domain|unknown|not\b)/,
  /(?:invalid|bad|unknown) sender|domain of sender|(?:helo|ehlo) command rejected|client host rejected/,
  /\bour sender\b|\byour (?:e-?mail )?(?:address|account|mailbox) (?:is|was|has|does|could|can)/,
);

/** Words about us. A directory or a vendor may have one of them in its name, so the code of a missing mailbox overrules them. */
const mentionsUs = anyOf(
  senderWords.text,
  vendors.text,
  /\[?\d\.\d{1,3}\]? has no name|\breturn[ -]path\b|\bclient\b/,
  /\byour (?:e-?mail |mail |sending |source |smtp |originating )?(?:ip|host|hostname|host name|server|servers|mta|isp|network|domain|reverse|ptr|rdns|dns|mail system|connection|provider)\b/,
  /\byour (?:ip )?address [[(]?\d|connecting (?:host|ip|server)/,
  /(?:sending|remote|originating) (?:mta|ip|host|server|system|domain)|messages? from \[?\d|\breverse\b/,
  /\bptr\b|\brdns\b|\bfcrdns\b|\bspf\b|\bdkim\b|\bdmarc\b|\bdns\b|dnsbl|\b[a-z]*rbl\b|\b[xs]bl\b/,
  /\brelay(?![ _]recipient)|reputation|(?:black|block|white|deny|allow|reject|access)[ -]?list/,
  /(?<!not )\blisted (?:at|in|on|by)|blocked using|block(?:ed)? for spam|currently blocked by|\bspammer/,
  /authenticat|not permitted|authori[sz]ed|not allowed to|\bpolic(?:y|ies)\b|prohibit|banned/,
);

/** A domain or host that is not there is not a mailbox that is not there; it may be ours. */
const domainNoun = /\b(?:domain|host|hostname|mx|a record)\b/;
const isMissing = anyOf(
  /\b(?:unknown|invalid|no such|nonexistent|unresolvable|bad)\b/,
  /\bnot (?:exist|found|resolved?|valid|known|be found|be resolved)\b|doesn't (?:exist|resolve)/,
);

const mailboxNoun =
  /\b(?:users?|recipients?|mail[ -]?box(?:es)?|accounts?|addressee|rcpt|alias|local[ -]?part|inbox|person|e-?mail address)\b/;

/** What is said of a mailbox and of nothing else. */
const describesMailbox = anyOf(
  /(?:user|recipient|mail[ -]?box|account|addressee|alias|e-?mail address|rcpt)s? (?:<> )?(?:is |was |were |has been |does |did |could |can ?)?(?:unknown|not\b|doesn't|invalid|disabled|inactive|suspended|closed|over ?quota|full|unavailable)/,
  /(?:unknown|no such|invalid|bad|non-?existent|inactive|disabled) (?:virtual |local |e-?mail |destination |recipient ){0,2}(?:user|recipient|mail[ -]?box|account|addressee|person|local[ -]?part|alias|rcpt)/,
  /not an? (?:valid|known|local|active) (?:user|recipient|mail[ -]?box|account|address|addressee)/,
  /over ?-?quota|tried to reach|\baddress not found\b/,
);

const describesMessage = anyOf(
  /(?<!sending )\bspam\b|\bvirus|malware|phish|\bcontent\b|attachment/,
  /message (?:was |is )?(?:rejected|refused) (?:due|because|for|as)/,
  /message (?:is )?too (?:big|large|long)|message size/,
);

/** The codes of a mailbox that is not there (RFC 3463 §3.2). */
const missingMailboxCode = /^[45]\.1\.(?:1|6|10)$/;

/** Reads whom a refusal is about from its enhanced code and its words, as the rules see them. */
export function readSubject(enhanced: string, sentence: string): Subject {
  if (refusesUs.test(sentence)) return 'us';
  const isOfMailbox = describesMailbox.test(sentence);
  if (isOfMailbox && missingMailboxCode.test(enhanced)) return 'mailbox';
  if (mentionsUs.test(sentence)) return 'us';
  if (isOfMailbox) return 'unclear';
  const isOfDomain = domainNoun.test(sentence) && !mailboxNoun.test(sentence);
  if (isOfDomain && isMissing.test(sentence)) return 'us';
  return describesMessage.test(sentence) ? 'message' : 'unclear';
}
