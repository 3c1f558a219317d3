import { type BounceJudgement, judgement } from './bounce-reasons.ts';
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

/** What the sentences of a report without a status part say of one recipient. */
export function judgeSentences(text: string, recipient: string, report: TextReport): BounceJudgement {
  const own = judgeParagraphs(text, recipient);
  const found = isExplained(own) ? own : (judgeElsewhere(report, recipient) ?? own);
  if (saysStillTrying(report.text)) {
    return delayed(found ?? judgement('delivery_delayed', stillTrying.rule, report.text));
  }
  return found ?? unexplained(text || report.text);
}

const unexplained = (words: string): BounceJudgement =>
  judgement('refused_unexplained', 'unexplained', words);

/** What has not failed yet is soft, whatever the host said so far. */
const delayed = (found: BounceJudgement): BounceJudgement => ({ ...found, class: 'soft', action: 'retry' });

/** The diagnostic itself, or the sentences of the report where it says nothing. */
function judgeDiagnostic(status: RecipientStatus, report: TextReport): BounceJudgement | undefined {
  const recipient = status.recipient ?? '';
  const found = judgeWords(status.diagnostic, { status: status.status, recipient });
  if (isExplained(found)) return found;
  const names = [status.recipient, status.forwardedTo].map((name) => name?.toLowerCase());
  const own = report.recipients.find((one) => names.includes(one.recipient.toLowerCase()));
  const said = judgeParagraphs(own?.text ?? '', recipient);
  if (isExplained(said)) return said;
  const elsewhere = report.isOfOne ? judgeElsewhere(report, recipient) : undefined;
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
function judgeElsewhere(report: TextReport, recipient: string): BounceJudgement | undefined {
  const before = paragraphsOf(report.preamble).reverse();
  for (const paragraph of [...before, ...paragraphsOf(report.text)]) {
    const found = judgeWords(paragraph, { recipient });
    if (isExplained(found)) return doubted(found);
  }
  return undefined;
}

const paragraphsMax = 60;

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n[\t >]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .slice(0, paragraphsMax);
