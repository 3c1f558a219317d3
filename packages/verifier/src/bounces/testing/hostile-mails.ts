import { bounceBytesMax } from '../explain-bounce.ts';

const filled = (text: string): string =>
  text.repeat(Math.ceil(bounceBytesMax / text.length)).slice(0, bounceBytesMax);
const nested = (count: number): string =>
  Array.from(
    { length: count },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
  ).join('');
const report = 'From: MAILER-DAEMON@mx.test\r\nSubject: failure\r\n';
const status =
  'Content-Type: multipart/report; boundary=a\r\n\r\n--a\r\nContent-Type: message/delivery-status\r\n\r\n';

/** Mails, events and replies that try to cost much more than their size. Each is about a megabyte, or as long as its kind can be. */
export const hostileBounces: Readonly<Record<string, string>> = {
  'deep nesting': nested(20_000),
  'nesting that opens parts at the bottom': `${nested(200)}${filled('--b199\r\n')}`.slice(0, bounceBytesMax),
  '60,000 parts': `${report}Content-Type: multipart/mixed; boundary=a\r\n\r\n${filled('--a\r\n\r\nx\r\n')}`,
  'parts with a boundary of one letter': `${report}Content-Type: multipart/mixed; boundary=-\r\n\r\n${filled('-')}`,
  'endless headers': report + filled('X-A: b\r\n'),
  'a header that is folded without end': `${report}X-A: b\r\n${filled(' c\r\n')}`,
  'one long line': `${report}\r\n${filled('a')}`,
  'a long header': `Subject: ${filled('a')}`,
  'encoded words': `Subject: ${filled('=?utf-8?q?a?= ')}`,
  'begun encoded words': `Subject: ${filled('=?utf-8?q?')}`,
  'parameters of a type': `${report}Content-Type: text/plain${filled('; a="b"')}`,
  'at signs': `${report}\r\n${filled('@')}`,
  addresses: `${report}\r\n${filled('a@b.c ')}`,
  'addresses in lines': `${report}\r\n${filled('<a@b.c>:\r\n')}`,
  'different addresses in lines': `${report}\r\n${Array.from({ length: 60_000 }, (_, index) => `<u${index}@b.c>:`).join('\r\n')}`,
  'blank lines': `${report}\r\n${filled(' \r\n')}`,
  'paragraphs with codes': `${report}\r\n${filled('550 5.1.1 a\r\n\r\n')}`,
  'codes in a line': `${report}\r\n${filled('550 550-')}`,
  tags: `${report}Content-Type: text/html\r\n\r\n${filled('<')}`,
  comments: `${report}Content-Type: text/html\r\n\r\n${filled('<!--')}`,
  entities: `${report}Content-Type: text/html\r\n\r\n${filled('&#1;')}`,
  'soft line breaks': `${report}Content-Transfer-Encoding: quoted-printable\r\n\r\n${filled('=\r\n')}`,
  'blocks of a status part':
    report + status + filled('Final-Recipient: rfc822;a@b.c\r\nAction: failed\r\n\r\n'),
  'lines of a status part': report + status + filled('Final-Recipient: rfc822;a@b.c\r\n'),
  'a long diagnostic': `${report}${status}Final-Recipient: rfc822;a@b.c\r\nAction: failed\r\nDiagnostic-Code: smtp;${filled(' 550-')}`,
  'nested JSON': '['.repeat(500_000),
  'many events': `[${Array.from({ length: 20_000 }, () => '{"event":"bounce","email":"a@b.c"}').join(',')}]`,
  'recipients in events': `[${Array.from({ length: 100 }, () => `{"mail":{},"eventType":"Delivery","delivery":{"recipients":[${Array.from({ length: 1_000 }, () => '"a@b.c"').join(',')}]}}`).join(',')}]`,
  'a reply without end': `550 ${filled('user ')}`,
};
