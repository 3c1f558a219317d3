import { type BounceFinding, judgement } from './bounce-reasons.ts';
import { hasReportSubject, isFromNobody, isFromServer, isMarkedAsReport } from './from-server.ts';
import { firstAddressIn } from './mail/addresses.ts';
import { headerOf, type Mail, type MailHeaders } from './mail/mail.ts';

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

/** Mails that a mailbox sends by itself (RFC 3834). Whatever they say, no server reports a failure in them. */
export function explainAutomaticAnswer(mail: Mail): BounceFinding[] | undefined {
  const subject = headerOf(mail.headers, 'subject');
  const recipient = firstAddressIn(headerOf(mail.headers, 'from')) ?? null;
  // A read receipt (RFC 8098) has the form of a report. Sieve and Dovecot report in the same form what they refuse.
  const receipt = mail.parts.find(({ type }) => type === 'message/disposition-notification');
  if (receipt !== undefined) {
    if (saysRejected(mail)) return undefined;
    return [{ recipient, ...judgement('auto_reply', 'read-receipt', subject) }];
  }
  if (isMarkedAsReport(mail)) return undefined;
  // Exim and others mark their reports as automatic answers.
  const isReport = isFromNobody(mail) || (isFromServer(mail) && hasReportSubject(mail));
  if (isMarked(mail.headers) && !isReport) {
    return [{ recipient, ...judgement('auto_reply', 'automatic-answer-by-header', subject) }];
  }
  if (isFromServer(mail)) return undefined;
  const lower = subject.toLowerCase();
  if (!automaticSubjects.some((phrase) => lower.includes(phrase))) return undefined;
  return [{ recipient, ...judgement('auto_reply', 'automatic-answer-by-subject', subject) }];
}

const saysRejected = ({ parts }: Mail): boolean =>
  parts.some(({ type, text }) => type === 'text/plain' && text.includes('was automatically rejected'));

/** A mail that a mailbox sent by itself has no sender to answer to (RFC 3834 §3.3), like a report, and does not look like one. */
export function explainUnreturnable({ headers }: Mail): BounceFinding[] | undefined {
  if (headerOf(headers, 'return-path').trim() !== '<>') return undefined;
  const recipient = firstAddressIn(headerOf(headers, 'from')) ?? null;
  const subject = headerOf(headers, 'subject');
  return [{ recipient, ...judgement('auto_reply', 'automatic-answer-by-return-path', subject) }];
}

const ownHeaders = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from'];
const automaticPrecedence = /^auto[_-]?reply/i;

function isMarked(headers: MailHeaders): boolean {
  if (ownHeaders.some((name) => headers.has(name))) return true;
  if (headerOf(headers, 'auto-submitted').toLowerCase().startsWith('auto-replied')) return true;
  return ['precedence', 'x-precedence'].some((name) => automaticPrecedence.test(headerOf(headers, name)));
}
