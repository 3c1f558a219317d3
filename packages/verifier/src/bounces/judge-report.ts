import { type BounceFinding, type BounceJudgement, judgement } from './bounce-reasons.ts';
import type { RecipientStatus } from './delivery-status.ts';
import { judgeSentence } from './judge-sentence.ts';
import { doubted, isExplained, judgeWords } from './judge-words.ts';
import { stillTrying } from './report-phrases.ts';
import type { TextReport } from './text-report.ts';

/** What the status part of a report and its sentences say of one recipient. */
export function judgeRecipient(status: RecipientStatus, report: TextReport): BounceJudgement {
  const { action, diagnostic, forwardedTo } = status;
  if (action === 'delivered' || action === 'relayed' || action === 'expanded') {
    return judgement('delivered', `action-${action}`, diagnostic || `Action: ${action}`);
  }
  const found = judgeDiagnostic(status, report);
  if (action === 'delayed') {
    return delayed(found ?? judgement('delivery_delayed', 'action-delayed', 'Action: delayed'));
  }
  const failed = isExplained(found)
    ? found
    : (judgeFirst([diagnostic, ownText(status, report), report.isOfOne ? report.text : '']) ??
      judgeTemporary(status) ??
      found ??
      unexplained(diagnostic || `Status: ${status.status}`));
  // The recipient's mailbox may live: what failed is the one that it forwards to.
  return forwardedTo === undefined ? failed : doubted(failed);
}

interface RecipientText {
  readonly recipient: string | null;
  readonly text: string;
}

/** What the sentences of a report without a status part say of each recipient. */
export function judgeSentences(report: TextReport): BounceFinding[] {
  const { text, recipients } = report;
  const isStillTried = saysStillTrying(text);
  const all: readonly RecipientText[] = recipients.length > 0 ? recipients : [{ recipient: null, text }];
  const judged = all.map((one) => ({ ...one, own: judgeParagraphs(one.text, one.recipient ?? '') }));
  // Once for all of them, or a short report with many recipients would take long.
  const elsewhere = judged.every(({ own }) => isExplained(own)) ? undefined : judgeElsewhere(report);
  const ofSentences = elsewhere === undefined ? judgeSentence(text) : undefined;
  return judged.map(({ recipient, text: ownWords, own }) => {
    const found = isExplained(own) ? own : (judgeOwnSentence(ownWords) ?? elsewhere ?? ofSentences ?? own);
    const failed = found ?? unexplained(ownWords || text);
    if (!isStillTried) return { recipient, ...failed };
    return { recipient, ...delayed(found ?? judgement('delivery_delayed', stillTrying.rule, text)) };
  });
}

/** What is said behind a recipient of their mailbox counts more than what a report says elsewhere, perhaps of somebody else. */
function judgeOwnSentence(text: string): BounceJudgement | undefined {
  const found = judgeSentence(text);
  return found?.subject === 'mailbox' ? found : undefined;
}

/** What the first text means that says anything. */
function judgeFirst(texts: readonly string[]): BounceJudgement | undefined {
  for (const text of texts) {
    const found = judgeSentence(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A server that gives up after the last temporary failure. */
const judgeTemporary = ({ status, diagnostic }: RecipientStatus): BounceJudgement | undefined =>
  status.startsWith('4.')
    ? judgement('temporary_failure', 'status', diagnostic || `Status: ${status}`)
    : undefined;

const unexplained = (words: string): BounceJudgement =>
  judgement('refused_unexplained', 'unexplained', words);

/** What has not failed yet is soft, whatever the host said so far. */
const delayed = (found: BounceJudgement): BounceJudgement => ({ ...found, class: 'soft', action: 'retry' });

/** The diagnostic itself; where it says nothing, the recipient's own sentences, the status, or other sentences. */
function judgeDiagnostic(status: RecipientStatus, report: TextReport): BounceJudgement | undefined {
  const recipient = status.recipient ?? '';
  const found = judgeWords(status.diagnostic, { status: status.status, recipient });
  if (status.diagnostic !== '' && isExplained(found)) return found;
  const said = judgeParagraphs(ownText(status, report), recipient);
  if (isExplained(said)) return said;
  if (isExplained(found)) return found;
  const elsewhere = report.isOfOne ? judgeElsewhere(report) : undefined;
  return elsewhere ?? found ?? said;
}

/** What the sentences of a report say of one recipient. */
function ownText({ recipient, forwardedTo }: RecipientStatus, report: TextReport): string {
  const names = [recipient, forwardedTo].map((name) => name?.toLowerCase());
  return report.recipients.find((one) => names.includes(one.recipient.toLowerCase()))?.text ?? '';
}

function saysStillTrying(text: string): boolean {
  const lower = text.toLowerCase().replace(/\s+/g, ' ');
  return stillTrying.phrases.some((phrase) => lower.includes(phrase));
}

/** The first paragraph that says something: one with a code before any other. */
function judgeParagraphs(text: string, recipient: string): BounceJudgement | undefined {
  const judged = paragraphsOf(text).map((paragraph) => ({
    hasCode: /[45]\d\d|[45]\.\d\.\d/.test(paragraph),
    found: judgeWords(paragraph, { recipient }),
  }));
  const explained = judged.filter(({ found }) => isExplained(found));
  const first = explained.find(({ hasCode }) => hasCode) ?? explained[0];
  return (first ?? judged.find(({ found }) => found !== undefined))?.found;
}

/** What the rest of the report says: before the recipients, the nearest first, or anywhere. It may be about somebody else. */
function judgeElsewhere(report: TextReport): BounceJudgement | undefined {
  const before = paragraphsOf(report.preamble).reverse();
  for (const paragraph of [...before, ...paragraphsOf(report.text)]) {
    const found = judgeWords(paragraph);
    if (isExplained(found)) return doubted(found);
  }
  return undefined;
}

const paragraphsMax = 60;
/** What companies put below every mail that leaves them. It names viruses and spam, and is no reason. */
const footer = /\bscanned (?:for|by)\b|\bconfidential\b|\bdisclaimer\b/i;

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n[\t >]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !footer.test(paragraph))
    .slice(0, paragraphsMax);
