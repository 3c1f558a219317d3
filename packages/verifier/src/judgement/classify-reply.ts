import { replaceMailbox } from './echoed-mailbox.ts';
import type { Reason } from './reasons.ts';
import { rulesBySubject } from './reply-rules.ts';
import { readRetryDelay } from './retry-delay.ts';
import type { ReplyMeaning, ReplyRule } from './rules/rule.ts';
import { comparableWords } from './same-words.ts';
import { readSubject } from './subject.ts';

export interface ReplyClass {
  meaning: ReplyMeaning;
  reason: Reason;
  /** The rule that decided, by its id. */
  rule: string;
  /** When the host names a time to come back. */
  retryAfterMs?: number;
  /** The words could be about us as well. */
  isAmbiguous?: boolean;
  /** The code, the rule and the words to compare with those of another reply. */
  words?: string;
  /** The names of ours in a reply that names no recipient. */
  ourNames?: readonly string[];
}

/** Where in the conversation a reply was given, when not to RCPT. */
export type EarlyStage = 'greeting' | 'hello' | 'sender';

// Not the beginning of an IP address.
const enhancedCode = /(?:^|[\s(#])([245]\.\d{1,3}\.\d{1,3})\b(?!\.\d)/;
const leadingEnhancedCode = /^[\s(#]*[245]\.\d{1,3}\.\d{1,3}\)?[\s:;-]*/;
const codeOfNextLine = /\n[245]\d\d[ -]/g;
// A word, with the domain behind it where the word is the local part of a mail address. Sendmail writes dots behind it.
const wordOrAddress = /<?[^\s<>()@:,;]+(@[^\s<>(),;:.]+(?:\.[^\s<>(),;:.]+)*)?>?/g;
const punctuation = /[.!]$/;

/**
 * What the rules look at of a long reply: its head and its tail, since many replies come to the point in their last line.
 * RFC 5321 §4.5.3.1.5 has 512 octets for a line; the longest replies we know have less than 1,000 characters in all.
 */
const headCharactersMax = 3_000;
const tailCharactersMax = 1_000;

/** The first enhanced code (RFC 3463) in a reply. */
export const enhancedCodeIn = (text: string): string | undefined => enhancedCode.exec(text)?.[1];

const rememberedMax = 2_000;
const remembered = new Map<string, ReplyClass>();

/**
 * What a reply to RCPT means, by the table in reply-rules.ts. The code and the text may come apart (as a connection
 * reads them) or the text may be the whole reply as it was logged, with a code on every line.
 */
export function classifyReply(code: number, text: string): ReplyClass {
  const wording = wordingOf(text);
  const key = `${code} ${wording}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;

  const found = matchRules(code, wording);
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(key, found);
  return found;
}

/** The words of a reply as the rules see them: of bounded length, in lower case, every mail address written as `<>`. */
export function wordingOf(text: string): string {
  const isLong = text.length > headCharactersMax + tailCharactersMax;
  const kept = isLong ? `${text.slice(0, headCharactersMax)}\n${text.slice(-tailCharactersMax)}` : text;
  const named = kept.includes('@') ? kept.replace(wordOrAddress, blankAddress) : kept;
  return named.replace(codeOfNextLine, '\n').toLowerCase();
}

/** Names in a reply must not be read as its words: nobody.such@… or full@… is a perfectly good mailbox. */
function blankAddress(word: string, domain: string | undefined): string {
  if (domain === undefined) return word;
  return punctuation.test(domain) ? `<>${domain.slice(-1)}` : '<>';
}

/**
 * The same for the replies of one host. A host says the same to everyone but for the name, so a reply that differs from
 * the one before only in the mailbox means the same. `ourNames` are the sender and the HELO name that we gave.
 */
export function createReplyClassifier(
  ourNames: readonly string[],
): (code: number, text: string, mailbox: string) => ReplyClass {
  // 'localhost' and the like may be words of a reply.
  const names = ourNames.filter((name) => name.includes('.')).map((name) => name.toLowerCase());
  let last: { code: number; before: string; after: string; found: ReplyClass } | undefined;
  return (code, text, mailbox) => {
    if (
      last !== undefined &&
      last.code === code &&
      text.length === last.before.length + mailbox.length + last.after.length &&
      text.startsWith(last.before) &&
      text.endsWith(last.after) &&
      text.startsWith(mailbox, last.before.length)
    ) {
      return last.found;
    }
    const at = text.indexOf(mailbox);
    const replaced = replaceMailbox(text, mailbox);
    const ours = replaced === text ? namesIn(text, names, mailbox) : [];
    const found =
      ours.length === 0
        ? classifyReply(code, replaced)
        : { ...classifyReply(code, markOurNames(text, ours)), ourNames: ours };
    // This reading is used for other mailboxes too.
    if (at >= 0) last = { code, before: text.slice(0, at), after: text.slice(at + mailbox.length), found };
    return found;
  };
}

/** A reply that names us and not the recipient is about us. */
function namesIn(text: string, names: readonly string[], mailbox: string): string[] {
  const lower = text.toLowerCase();
  if (lower.includes(mailbox.toLowerCase())) return [];
  return names.filter((name) => lower.includes(name));
}

/** For the rules, such a reply calls us 'our sender'. */
const markOurNames = (text: string, names: readonly string[]): string =>
  names.reduce((marked, name) => marked.replaceAll(name, 'our sender'), text.toLowerCase());

function matchRules(code: number, wording: string): ReplyClass {
  const digits = String(code);
  const enhanced = enhancedCode.exec(wording)?.[1] ?? '';
  const lines = wording.split('\n').map((line) => line.replace(leadingEnhancedCode, ''));
  const sentence = lines.join(' ').replace(/\s+/g, ' ').trim();

  const rules = rulesBySubject[readSubject(enhanced, sentence)];
  const rule = rules.find((candidate) => matches(candidate, digits, enhanced, sentence));
  if (rule === undefined)
    throw new Error(`no rule for ${digits}: the last rule of the table must match everything`);
  const waits = rule.meaning === 'ask_later' || rule.meaning === 'slow_down';
  const retryAfterMs = waits ? readRetryDelay(sentence) : undefined;
  return {
    meaning: rule.meaning,
    reason: rule.reason,
    rule: rule.id,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(rule.isAmbiguous && { isAmbiguous: true }),
    words: comparableWords(digits, enhanced, rule.id, sentence),
  };
}

function matches(rule: ReplyRule, digits: string, enhanced: string, sentence: string): boolean {
  return (
    (rule.code === undefined || rule.code.test(digits)) &&
    (rule.enhanced === undefined || rule.enhanced.test(enhanced)) &&
    (rule.text === undefined || rule.text.test(sentence)) &&
    (rule.alsoText === undefined || rule.alsoText.test(sentence))
  );
}

/**
 * A refusal before RCPT is about us, never about the mailbox, whatever words it uses. Only the kinds of trouble with
 * us that the table knows are told apart.
 */
export function classifyEarlyReply(stage: EarlyStage, code: number, text: string): ReplyClass {
  const found = classifyReply(code, text);
  switch (found.reason) {
    case 'blocked':
    case 'throttled':
    case 'greylisted':
    case 'sender_refused':
      return found;
    default:
      return code < 500
        ? { ...found, meaning: 'ask_later', reason: 'temporary_failure', rule: `${stage}-4xx` }
        : { ...found, meaning: 'no_answer', reason: 'sender_refused', rule: `${stage}-5xx` };
  }
}

/** Reads a reply as it is written down: the code, then the text, lines after the first with or without their codes. */
export function parseWrittenReply(reply: string): { code: number; text: string } | undefined {
  const matched = /^\s*([2-5]\d\d)(?:[ -]|$)([\s\S]*)$/.exec(reply.replaceAll('\r\n', '\n'));
  return matched === null ? undefined : { code: Number(matched[1]), text: (matched[2] ?? '').trimEnd() };
}
