import { firstAddressIn } from './addresses.ts';
import { type BounceFinding, judgement } from './bounce-reasons.ts';
import { isFromServer, isMarkedAsReport } from './from-server.ts';
import { headerOf, type Mail, type MailHeaders } from './mail.ts';

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
  // A read receipt (RFC 8098) has the form of a report.
  if (mail.parts.some(({ type }) => type === 'message/disposition-notification')) {
    return [{ recipient, ...judgement('auto_reply', 'read-receipt', subject) }];
  }
  if (isMarkedAsReport(mail)) return undefined;
  if (isMarked(mail.headers)) {
    return [{ recipient, ...judgement('auto_reply', 'automatic-answer-by-header', subject) }];
  }
  if (isFromServer(mail)) return undefined;
  const lower = subject.toLowerCase();
  if (!automaticSubjects.some((phrase) => lower.includes(phrase))) return undefined;
  return [{ recipient, ...judgement('auto_reply', 'automatic-answer-by-subject', subject) }];
}

const ownHeaders = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from'];
const automaticPrecedence = /^auto[_-]?reply/i;

function isMarked(headers: MailHeaders): boolean {
  if (ownHeaders.some((name) => headers.has(name))) return true;
  if (headerOf(headers, 'auto-submitted').toLowerCase().startsWith('auto-replied')) return true;
  return ['precedence', 'x-precedence'].some((name) => automaticPrecedence.test(headerOf(headers, name)));
}
