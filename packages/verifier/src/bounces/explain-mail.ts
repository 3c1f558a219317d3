import { explainAutomaticAnswer, explainUnreturnable } from './automatic-answer.ts';
import { type BounceFinding, judgement } from './bounce-reasons.ts';
import { readRecipientStatuses } from './delivery-status.ts';
import { explainFeedback, explainHotmailComplaint } from './feedback-report.ts';
import { isFromServer, looksLikeReport } from './from-server.ts';
import { judgeRecipient, judgeSentences } from './judge-report.ts';
import { doubted } from './judge-words.ts';
import { headerOf, type Mail, readMail } from './mail/mail.ts';
import { readTextReport } from './text-report.ts';

/** More recipients of one mail are not judged. */
export const recipientsMax = 100;

/** What a mail says that came back after sending; undefined if it is no mail. */
export function explainMail(bytes: Uint8Array): BounceFinding[] | undefined {
  const mail = readMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
  return mail && explain(mail);
}

const explain = (mail: Mail): BounceFinding[] =>
  explainFeedback(mail, recipientsMax) ??
  explainForwarded(mail) ??
  explainStatusPart(mail) ??
  explainHotmailComplaint(mail) ??
  explainAutomaticAnswer(mail) ??
  explainText(mail) ??
  explainUnreturnable(mail) ??
  notAReport(mail);

const notAReport = ({ headers }: Mail): BounceFinding[] => [
  { recipient: null, ...judgement('no_report', 'no-report', headerOf(headers, 'subject')) },
];

/** A report that somebody or a filter passes on as an attachment. */
function explainForwarded(mail: Mail): BounceFinding[] | undefined {
  if (mail.type === 'multipart/report') return undefined;
  const part = mail.parts.find(({ type }) => type === 'message/rfc822');
  const inner = part && readMail(part.text);
  if (inner?.type !== 'multipart/report') return undefined;
  const found = explainFeedback(inner, recipientsMax) ?? explainStatusPart(inner);
  return found && weigh(found, isFromServer(mail));
}

/** A person may write or attach anything. */
const weigh = (findings: readonly BounceFinding[], isCertain: boolean): BounceFinding[] =>
  findings.map((found) => (isCertain ? found : { ...found, ...doubted(found) }));

const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status']);

/** A delivery report (RFC 3464). */
function explainStatusPart(mail: Mail): BounceFinding[] | undefined {
  const parts = mail.parts.filter(({ type }) => statusTypes.has(type));
  const all = readRecipientStatuses(parts.map(({ text }) => text).join('\n\n'), recipientsMax);
  if (all.length === 0) return undefined;
  const named = all.filter(({ recipient }) => recipient !== null);
  const statuses = named.length > 0 ? named : all;
  const report = { ...readTextReport(mail, recipientsMax), isOfOne: statuses.length === 1 };
  const judged = statuses.map((status) => ({
    recipient: status.recipient,
    ...judgeRecipient(status, report),
  }));
  return weigh(judged, isFromServer(mail));
}

/** A report without a status part, read from its sentences. */
function explainText(mail: Mail): BounceFinding[] | undefined {
  const isByServer = isFromServer(mail);
  if (!isByServer && !looksLikeReport(mail)) return undefined;
  const report = readTextReport(mail, recipientsMax);
  // A report may mention an address that did not fail.
  return weigh(judgeSentences(report), isByServer && report.namesRecipients);
}
