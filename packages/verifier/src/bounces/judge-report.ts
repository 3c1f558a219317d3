import { type BounceFinding, type BounceJudgement, judgement } from './bounce-reasons.ts';
import type { RecipientStatus } from './delivery-status.ts';
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
  const failed = found ?? unexplained(diagnostic || `Status: ${status.status}`);
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
  return judged.map(({ recipient, text: ownText, own }) => {
    const found = isExplained(own) ? own : (elsewhere ?? own);
    const failed = found ?? unexplained(ownText || text);
    if (!isStillTried) return { recipient, ...failed };
    return { recipient, ...delayed(found ?? judgement('delivery_delayed', stillTrying.rule, text)) };
  });
}

const unexplained = (words: string): BounceJudgement =>
  judgement('refused_unexplained', 'unexplained', words);

/** What has not failed yet is soft, whatever the host said so far. */
const delayed = (found: BounceJudgement): BounceJudgement => ({ ...found, class: 'soft', action: 'retry' });

/** The diagnostic itself; where it says nothing, the recipient's own sentences, the status, or other sentences. */
function judgeDiagnostic(status: RecipientStatus, report: TextReport): BounceJudgement | undefined {
  const recipient = status.recipient ?? '';
  const found = judgeWords(status.diagnostic, { status: status.status, recipient });
  if (status.diagnostic !== '' && isExplained(found)) return found;
  const names = [status.recipient, status.forwardedTo].map((name) => name?.toLowerCase());
  const own = report.recipients.find((one) => names.includes(one.recipient.toLowerCase()));
  const said = judgeParagraphs(own?.text ?? '', recipient);
  if (isExplained(said)) return said;
  if (isExplained(found)) return found;
  const elsewhere = report.isOfOne ? judgeElsewhere(report) : undefined;
  return elsewhere ?? found ?? said;
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
