import { createReplyClassifier, type ReplyClass, wordingOf } from '../judgement/classify-reply.ts';
import { type BounceJudgement, type BounceReason, isBounceReason, judgement } from './bounce-reasons.ts';
import { judgeSentence } from './judge-sentence.ts';
import {
  furtherPhrases,
  type ReportPhrases,
  refusedByRecipient,
  routePhrases,
  senderNotVerified,
} from './report-phrases.ts';

interface Reply {
  readonly code: number;
  readonly text: string;
}

const textCharactersMax = 4_000;
/** A code of a refusal where a reply begins: in front of an enhanced code or of a word. */
const replyStart = /(?:^|[\s"'([<:;#>=])([45]\d\d)[\s:-]{1,3}(?=[#(["<]{0,2}(?:[45]\.\d{1,3}\.\d|[a-z]))/i;
/** Where the next line of a reply begins in a header, which has its lines joined. */
const nextLine = /\s[245]\d\d(?:-| (?=[245]\.\d{1,3}\.\d))/g;
/** Postfix says behind a reply which command it is for. */
const commandNote = /\(in reply to [^()]{1,60}\)/;
/** Not the beginning of an IP address. */
const enhancedCode = /(?:^|[\s(#[:;])([45]\.\d{1,3}\.\d{1,3})\b(?!\.\d)/;
/** Codes that say no more than that something failed (RFC 3463). */
const vagueStatus = /^[45]\.(?:0\.0|3\.0|5\.0|2\.0|4\.0)$/;
const wholeStatus = /^([245])\.\d{1,3}\.\d{1,3}$/;

/** The first refusal in a text, from its code on. */
function findReply(text: string): Reply | undefined {
  const found = replyStart.exec(text.slice(0, textCharactersMax));
  if (found?.[1] === undefined) return undefined;
  const codeAt = found.index + found[0].indexOf(found[1]);
  const following = text.slice(codeAt + 3, codeAt + textCharactersMax).replace(/^[\s:-]+/, '');
  const rest = untilOtherReply(following, found[1]);
  return { code: Number(found[1]), text: rest.replace(nextLine, '\n').replace(commandNote, '') };
}

/** A line that begins with another code, as in the transcript of a session with several hosts. */
const nextReply = /\n[<>\s]{0,5}([245]\d\d)[ -]/g;

function untilOtherReply(text: string, code: string): string {
  for (const { 1: next, index } of text.matchAll(nextReply)) if (next !== code) return text.slice(0, index);
  return text;
}

/** A relay may quote the reply of the next host in its own. */
function findQuotedReply(text: string): Reply | undefined {
  const outer = replyStart.exec(text.slice(0, textCharactersMax));
  return outer === null ? undefined : findReply(text.slice(outer.index + outer[0].length));
}

interface WordsContext {
  /** Such as 5.1.1, where a report has it beside the words. */
  readonly status?: string;
  readonly recipient?: string;
  /** The reply in the words, where it is known. */
  readonly reply?: Reply;
}

/**
 * What words about one recipient mean: those of a `Diagnostic-Code`, of a reply or of a paragraph. A reply in them counts
 * most, then what mail servers write of themselves, then the status, which many servers make up. Undefined if they say
 * nothing.
 */
export function judgeWords(text: string, context: WordsContext = {}): BounceJudgement | undefined {
  const found = judgePlainly(text, context);
  const hasCode = context.reply !== undefined || codeIn(text) !== '' || findReply(text) !== undefined;
  // Many reports list what the reason might be.
  return found === undefined || hasCode || !hedges.test(text) ? found : doubted(found);
}

const hedges = /\b(?:may|might|maybe|perhaps|possibly|possible|probably|either|if)\b/i;

function judgePlainly(
  text: string,
  { status = '', recipient = '', reply = findReply(text) }: WordsContext,
): BounceJudgement | undefined {
  const said = reply?.text ?? text;
  const wording = wordingOf(said.slice(0, textCharactersMax)).replace(/\s+/g, ' ');
  const unverified = matchPhrases([senderNotVerified], wording, text);
  if (unverified !== undefined) return unverified;
  const byRoute = matchPhrases([refusedByRecipient, ...routePhrases], wording, text);
  // A host may say the same of the sender's domain, or of its own. A recipient who refuses a sender always names one.
  if (byRoute !== undefined && (byRoute.rule === refusedByRecipient.rule || !namesSender.test(wording))) {
    if (byRoute.subject === 'domain' && status.startsWith('4'))
      return judgement('dns_failed', byRoute.rule, text);
    return reply === undefined || domainCode.test(codeIn(text)) ? byRoute : doubted(byRoute);
  }
  const byReply = reply === undefined ? judgeByCode(text, recipient) : judgeReply(reply, recipient, text);
  const byWords = byReply ?? judgeWithoutCode(text, recipient);
  if (byWords !== undefined && !weakRules.has(byWords.rule)) return byWords;
  const byQuoted = judgeReply(findQuotedReply(text), recipient, text);
  if (byQuoted !== undefined && !weakRules.has(byQuoted.rule)) return byQuoted;
  const further = matchPhrases(furtherPhrases, wording, text) ?? judgeRoute(codeIn(said), text);
  // The words may be about the sender as well.
  if (further !== undefined) return byWords === undefined ? further : doubted(further);
  if (isExplained(byReply)) return byReply;
  // What is said of the mailbox counts more than a status, which many servers make up.
  const bySentence = judgeSentence(said);
  if (bySentence?.reason === 'mailbox_full') return bySentence;
  const isDoubtful = reply !== undefined || byWords !== undefined;
  return judgeStatus(status, text, { isDoubtful, recipient }) ?? judgeAround(text, recipient) ?? byReply;
}

/** A transcript may say what is wrong with the mailbox in another line than that of the code. */
function judgeAround(text: string, recipient: string): BounceJudgement | undefined {
  const found = judgeWithoutCode(text, recipient);
  return found?.subject === 'mailbox' ? doubted(found) : undefined;
}

export const isExplained = (found: BounceJudgement | undefined): found is BounceJudgement =>
  found !== undefined && found.reason !== 'refused_unexplained';

/** The last resorts of the engine, which look at little more than a code or one word. */
const weakRules = new Set(['other-5xx', 'policy-by-code', 'us-in-other-words', 'sender-in-other-words']);

/** Words that may be about the sender suppress nobody: a second bounce decides, because no one can be asked. */
export const doubted = (found: BounceJudgement): BounceJudgement =>
  found.action === 'suppress' ? { ...found, action: 'retry' } : found;

/** What a reply with its code means. */
export function judgeReply(
  reply: Reply | undefined,
  recipient: string,
  words: string,
): BounceJudgement | undefined {
  if (reply === undefined) return undefined;
  return toJudgement(classify(reply, recipient), words);
}

const classifier = createReplyClassifier([]);
const classify = ({ code, text }: Reply, recipient: string): ReplyClass => classifier(code, text, recipient);

function toJudgement({ reason, rule, isAmbiguous }: ReplyClass, words: string): BounceJudgement | undefined {
  if (!isBounceReason(reason)) return undefined;
  const found = judgement(reason, rule, words);
  return isAmbiguous ? doubted(found) : found;
}

/** The codes of a missing domain and of one without mail hosts (RFC 3463 §3.2 and §3.5, RFC 7505 §5). */
const domainCode = /^5\.(?:1\.2|1\.10|4\.4)$/;
const namesSender =
  /\bsender\b|\bmail from\b|\bhelo\b|\behlo\b|\breverse\b|\bclient host\b|\brelay|\bptr\b|black|\bspam|\bpolic/;

function matchPhrases(
  list: readonly ReportPhrases[],
  wording: string,
  words: string,
): BounceJudgement | undefined {
  const found = list.find(({ phrases }) => phrases.some((phrase) => wording.includes(phrase)));
  return found && judgement(found.reason, found.rule, words);
}

/** The first enhanced code of a refusal, or nothing. */
const codeIn = (text: string): string => enhancedCode.exec(text.slice(0, textCharactersMax))?.[1] ?? '';

/**
 * A text with an enhanced code and no other: what a host says is behind it, as reports quote it, or in front of it, as qmail writes it. The
 * report may say in front of it what it did, and with which host.
 */
function judgeByCode(text: string, recipient: string): BounceJudgement | undefined {
  const found = enhancedCode.exec(text.slice(0, textCharactersMax));
  if (found?.[1] === undefined) return undefined;
  const code = found[1].startsWith('4') ? 450 : 550;
  const behind = text.slice(found.index + found[0].indexOf(found[1]));
  const quoted = judgeReply({ code, text: behind }, recipient, text);
  if (isExplained(quoted) && !weakRules.has(quoted.rule)) return quoted;
  return judgeReply({ code, text }, recipient, text);
}

function judgeStatus(
  status: string,
  words: string,
  { isDoubtful, recipient }: { readonly isDoubtful: boolean; readonly recipient: string },
): BounceJudgement | undefined {
  if (!wholeStatus.test(status) || vagueStatus.test(status)) return undefined;
  const shown = words || `Status: ${status}`;
  const code = status.startsWith('4') ? 450 : 550;
  const found = judgeRoute(status, shown) ?? judgeReply({ code, text: status }, recipient, shown);
  if (!isExplained(found)) return undefined;
  // Sendmail gives 5.1.1 to every 550 of a host.
  return isDoubtful ? doubted(found) : found;
}

function judgeRoute(status: string, words: string): BounceJudgement | undefined {
  const found = statusesOfRoutes.find(({ statuses }) => statuses.includes(status.slice(2)));
  return found && judgement(status.startsWith('4') ? found.temporarily : found.reason, 'status', words);
}

interface RouteStatus {
  /** Without their first number. */
  readonly statuses: readonly string[];
  readonly reason: BounceReason;
  /** The reason of the same status with a 4. */
  readonly temporarily: BounceReason;
}

/** Codes of what happens before a host replies: those of RFC 3463, and those of Exchange Online. */
const statusesOfRoutes: readonly RouteStatus[] = [
  { statuses: ['1.2', '4.310'], reason: 'no_such_domain', temporarily: 'dns_failed' },
  { statuses: ['4.4'], reason: 'no_mail_host', temporarily: 'dns_failed' },
  { statuses: ['4.3', '4.312'], reason: 'dns_failed', temporarily: 'dns_failed' },
  { statuses: ['4.1', '4.2', '4.316'], reason: 'connection_timeout', temporarily: 'connection_timeout' },
  { statuses: ['4.6', '4.14'], reason: 'mail_loop', temporarily: 'mail_loop' },
  { statuses: ['4.7', '4.300'], reason: 'delivery_expired', temporarily: 'delivery_expired' },
  { statuses: ['2.3', '3.4'], reason: 'message_too_large', temporarily: 'message_too_large' },
];

/** A sentence without any code, as Exchange and others write it. That it is a refusal at all says nothing. */
function judgeWithoutCode(text: string, recipient: string): BounceJudgement | undefined {
  const found = judgeReply({ code: 550, text: text.slice(0, textCharactersMax) }, recipient, text);
  return found?.rule === 'other-5xx' ? undefined : found;
}
