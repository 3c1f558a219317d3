import { addressesIn, firstAddressIn } from './addresses.ts';
import { type BounceFinding, type BounceJudgement, judgement } from './bounce-reasons.ts';
import { type RecipientStatus, readRecipientStatuses } from './delivery-status.ts';
import { doubted, judgeWords } from './judge-words.ts';
import { allOf, headerOf, type Mail, readHeaders, readMail } from './mail.ts';
import { stillTrying } from './report-phrases.ts';
import { readTextReport, returnedHeaders, returnedRecipients, type TextReport } from './text-report.ts';

/** More recipients of one mail are not judged. */
export const recipientsMax = 100;

/** What a mail says that came back after sending; undefined if it is no mail. */
export function explainMail(bytes: Uint8Array): BounceFinding[] | undefined {
  const mail = readMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
  return mail && explain(mail);
}

function explain(mail: Mail): BounceFinding[] {
  return (
    explainFeedback(mail) ??
    explainForwarded(mail) ??
    explainStatusPart(mail) ??
    explainAutomaticAnswer(mail) ??
    explainText(mail) ?? [
      { recipient: null, ...judgement('no_report', 'no-report', headerOf(mail.headers, 'subject')) },
    ]
  );
}

/** A report that somebody or a filter passes on as an attachment. */
function explainForwarded(mail: Mail): BounceFinding[] | undefined {
  if (mail.type === 'multipart/report') return undefined;
  const part = mail.parts.find(({ type }) => type === 'message/rfc822');
  const inner = part && readMail(part.text);
  return inner?.type === 'multipart/report'
    ? (explainFeedback(inner) ?? explainStatusPart(inner))
    : undefined;
}

const feedbackTypes = new Set(['message/feedback-report']);

/** A feedback report (RFC 5965), or the older one of Hotmail, which has no part of its own. */
function explainFeedback(mail: Mail): BounceFinding[] | undefined {
  const part = mail.parts.find(({ type }) => feedbackTypes.has(type));
  const returned = returnedHeaders(mail);
  const hotmail = returned && firstAddressIn(headerOf(returned, 'x-hmxmroriginalrecipient'));
  if (part === undefined) {
    return hotmail === undefined ? undefined : [{ recipient: hotmail, ...complaintOf('abuse') }];
  }
  const { headers } = readHeaders(part.text.trimStart());
  const found = complaintOf(headerOf(headers, 'feedback-type').toLowerCase());
  const named = ['original-rcpt-to', 'removal-recipient'].flatMap((name) =>
    allOf(headers, name).flatMap((value) => addressesIn(value)),
  );
  const recipients = named.length > 0 ? named : hotmail === undefined ? returnedRecipients(mail) : [hotmail];
  if (recipients.length === 0) return [{ recipient: null, ...found }];
  return recipients.slice(0, recipientsMax).map((recipient) => ({ recipient, ...found }));
}

function complaintOf(type: string): BounceJudgement {
  const words = `Feedback-Type: ${type}`;
  if (type === 'not-spam') return judgement('not_spam', 'feedback-not-spam', words);
  if (type.startsWith('auth-failure') || type === 'dmarc')
    return judgement('authentication_report', 'feedback-authentication', words);
  if (type.startsWith('opt-out')) return judgement('unsubscribed', 'feedback-opt-out', words);
  return judgement('complaint', 'feedback', words);
}

const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status']);

function explainStatusPart(mail: Mail): BounceFinding[] | undefined {
  const text = mail.parts
    .filter(({ type }) => statusTypes.has(type))
    .map((part) => part.text)
    .join('\n\n');
  if (text === '') return undefined;
  const statuses = readRecipientStatuses(text, recipientsMax);
  if (statuses.length === 0) return undefined;
  const report = readTextReport(mail, recipientsMax);
  const named = statuses.filter(({ recipient }) => recipient !== null);
  return (named.length > 0 ? named : statuses).map((status) => ({
    recipient: status.recipient,
    ...judgeRecipient(status, statuses.length === 1 ? { ...report, isOfOne: true } : report),
  }));
}

function judgeRecipient(status: RecipientStatus, report: TextReport): BounceJudgement {
  const { action, diagnostic, forwardedTo } = status;
  if (action === 'delivered' || action === 'relayed' || action === 'expanded') {
    return judgement('delivered', `action-${action}`, diagnostic || `Action: ${action}`);
  }
  const found = judgeDiagnostic(status, report);
  if (action === 'delayed') {
    return {
      ...(found ?? judgement('delivery_delayed', 'action-delayed', 'Action: delayed')),
      class: 'soft',
      action: 'retry',
    };
  }
  const failed =
    found ?? judgement('refused_unexplained', 'unexplained', diagnostic || `Status: ${status.status}`);
  // The recipient's mailbox may live: what failed is the one that it forwards to.
  return forwardedTo !== undefined && failed.action === 'suppress' ? { ...failed, action: 'retry' } : failed;
}

/** The diagnostic itself, or the sentences of the report where it says nothing. */
function judgeDiagnostic(status: RecipientStatus, report: TextReport): BounceJudgement | undefined {
  const recipient = status.recipient ?? '';
  const found = judgeWords(status.diagnostic, { status: status.status, recipient });
  if (found !== undefined && found.reason !== 'refused_unexplained') return found;
  const said = judgeParagraphs(textAbout(status, report), recipient);
  return said?.reason === 'refused_unexplained' ? (found ?? said) : (said ?? found);
}

function textAbout({ recipient, forwardedTo }: RecipientStatus, report: TextReport): string {
  const names = [recipient, forwardedTo].map((name) => name?.toLowerCase());
  const own = report.recipients.find((one) => names.includes(one.recipient.toLowerCase()));
  return own?.text || (report.isOfOne ? report.text : '');
}

const automaticSubjects = [
  'automatic reply',
  'auto reply',
  'auto-reply',
  'autoreply',
  'auto:',
  'auto response',
  'auto-response',
  'autoresponse',
  'automated response',
  'automated reply',
  'out of office',
  'out of the office',
  'out-of-office',
  'vacation',
  'away from my mail',
  'on holiday',
  'abwesenheit',
  'automatische antwort',
  'réponse automatique',
  'reponse automatique',
  'absence du bureau',
  'respuesta automática',
  'respuesta automatica',
  'fuera de la oficina',
  'risposta automatica',
  'fuori ufficio',
  'resposta automática',
  'automatisch antwoord',
  'afwezig',
  'autosvar',
  'automaattinen vastaus',
  'odpowiedź automatyczna',
  'automatyczna odpowiedź',
  'autoodpowied',
  'автоответ',
  'автоматический ответ',
  '自動応答',
  '不在',
  '自动回复',
  '自動回覆',
];

/** Mails that a mailbox sends by itself (RFC 3834). No server reports a failure in them. */
function explainAutomaticAnswer(mail: Mail): BounceFinding[] | undefined {
  const { headers } = mail;
  if (isFromServer(mail)) return undefined;
  const subject = headerOf(headers, 'subject');
  const submitted = headerOf(headers, 'auto-submitted').toLowerCase();
  const isMarked =
    submitted.startsWith('auto-replied') ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from'].some((name) =>
      headers.has(name),
    ) ||
    /^auto[_-]?reply/i.test(headerOf(headers, 'precedence')) ||
    headerOf(headers, 'x-precedence').toLowerCase() === 'auto_reply';
  const lower = subject.toLowerCase();
  const phrase = automaticSubjects.find((one) => lower.includes(one));
  if (!isMarked && phrase === undefined) return undefined;
  const recipient = firstAddressIn(headerOf(headers, 'from')) ?? null;
  return [
    {
      recipient,
      ...judgement(
        'auto_reply',
        isMarked ? 'automatic-answer-by-header' : 'automatic-answer-by-subject',
        subject,
      ),
    },
  ];
}

const serverSenders =
  /mailer-daemon|postmaster|mail-daemon|mdaemon|mail delivery|maildelivery|microsoftexchange|system administrator|mail administrator|mail-delivery|bounce/i;

function isFromServer(mail: Mail): boolean {
  const isReport = mail.type === 'multipart/report';
  return (
    isReport || mail.headers.has('x-failed-recipients') || serverSenders.test(headerOf(mail.headers, 'from'))
  );
}

const reportSubjects = [
  'undeliver',
  'not deliver',
  'delivery',
  'failure notice',
  'returned mail',
  'returned to sender',
  'mail failure',
  'mail error',
  'failed',
  'failure',
  'bounce',
  'could not be sent',
  'could not send',
  'not be delivered',
  'non remis',
  'non-remis',
  'unzustellbar',
  'nicht zugestellt',
  'no entregado',
  'no se pudo',
  'mancata consegna',
  'mailsystem',
  'niedostarcz',
  'nie dostarcz',
  'не доставлен',
  'недоставлен',
  '配信',
  '送信できません',
  '送信エラー',
  '退信',
  '系统退信',
  'undelivrable',
  'rejected',
  'blocked',
  'warning',
  'returning message',
  'mail system',
];

/** A report without a status part, read from its sentences. */
function explainText(mail: Mail): BounceFinding[] | undefined {
  const subject = headerOf(mail.headers, 'subject').toLowerCase();
  if (!isFromServer(mail) && !reportSubjects.some((phrase) => subject.includes(phrase))) return undefined;
  const report = readTextReport(mail, recipientsMax);
  const isWaiting = saysStillTrying(`${subject}\n${report.text}`);
  const judge = (text: string, recipient: string): BounceJudgement => {
    const own = judgeParagraphs(text, recipient);
    const elsewhere = isExplained(own) ? undefined : judgeElsewhere(report, recipient);
    const found = elsewhere ?? own;
    if (isWaiting)
      return {
        ...(found ?? judgement('delivery_delayed', stillTrying.rule, report.text)),
        class: 'soft',
        action: 'retry',
      };
    return found ?? judgement('refused_unexplained', 'unexplained', text || report.text);
  };
  if (report.recipients.length === 0) return [{ recipient: null, ...judge(report.text, '') }];
  return report.recipients.map(({ recipient, text }) => ({ recipient, ...judge(text, recipient) }));
}

function saysStillTrying(text: string): boolean {
  const lower = text.toLowerCase().replace(/\s+/g, ' ');
  return stillTrying.phrases.some((phrase) => lower.includes(phrase));
}

const paragraphsMax = 60;

/** The first paragraph that says something: one with a reply or a code before any other. */
function judgeParagraphs(text: string, recipient: string): BounceJudgement | undefined {
  const paragraphs = paragraphsOf(text);
  const judged = paragraphs.map((paragraph) => ({
    hasCode: /[45]\d\d|[45]\.\d\.\d/.test(paragraph),
    found: judgeWords(paragraph, { recipient }),
  }));
  const explained = judged.filter(
    ({ found }) => found !== undefined && found.reason !== 'refused_unexplained',
  );
  return (
    explained.find(({ hasCode }) => hasCode) ??
    explained[0] ??
    judged.find(({ found }) => found !== undefined)
  )?.found;
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

const isExplained = (found: BounceJudgement | undefined): found is BounceJudgement =>
  found !== undefined && found.reason !== 'refused_unexplained';

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n[\t >]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .slice(0, paragraphsMax);
