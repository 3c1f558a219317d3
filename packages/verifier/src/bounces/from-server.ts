import { addressesIn } from './mail/addresses.ts';
import { headerOf, type Mail } from './mail/mail.ts';
import { returnedHeaders } from './text-report.ts';

const serverSenders =
  /mailer-daemon|post_?master|mail-daemon|mdaemon|mail[ -]?delivery|microsoftexchange|\bbounces?$/i;

/** Whether a mail says by its form that it is a report. */
export const isMarkedAsReport = ({ type, headers }: Mail): boolean =>
  type === 'multipart/report' || headers.has('x-failed-recipients');

/** Whether the author of a mail is not an address, such as `<>`. */
export const isFromNobody = ({ headers }: Mail): boolean =>
  headers.has('from') && addressesIn(headerOf(headers, 'from')).length === 0;

/** Whether a mail server wrote a mail, and no person. People may have the name of a server, but not its address. */
export function isFromServer(mail: Mail): boolean {
  if (isMarkedAsReport(mail) || isFromNobody(mail)) return true;
  const from = headerOf(mail.headers, 'from');
  const [mailbox = ''] = (addressesIn(from).at(-1) ?? from).split('@');
  return serverSenders.test(mailbox);
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
  'メールエラー',
  'エラー通知',
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

/** Whether a mail looks like a report, though its sender does not say that it is a server. */
export const looksLikeReport = (mail: Mail): boolean =>
  hasReportSubject(mail) || returnedHeaders(mail) !== undefined;

export function hasReportSubject({ headers }: Mail): boolean {
  const subject = headerOf(headers, 'subject').toLowerCase();
  return reportSubjects.some((phrase) => subject.includes(phrase));
}
