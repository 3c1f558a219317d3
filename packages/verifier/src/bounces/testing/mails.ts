/** Builds reports as mail servers write them. */

const boundary = 'part';

interface Part {
  readonly type: string;
  readonly text: string;
  readonly encoding?: string;
}

export const mailOf = (headers: Readonly<Record<string, string>>, body: string): Buffer =>
  Buffer.from(
    `${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body.replaceAll('\n', '\r\n')}`,
  );

export const multipart = (
  type: string,
  headers: Readonly<Record<string, string>>,
  parts: readonly Part[],
): Buffer =>
  mailOf(
    { ...headers, 'MIME-Version': '1.0', 'Content-Type': `${type}; boundary="${boundary}"` },
    `${parts
      .map(
        ({ type: partType, text, encoding }) =>
          `--${boundary}\nContent-Type: ${partType}\n${encoding ? `Content-Transfer-Encoding: ${encoding}\n` : ''}\n${text}\n`,
      )
      .join('')}--${boundary}--\n`,
  );

export const fromServer = {
  'Return-Path': '<>',
  From: 'Mail Delivery System <MAILER-DAEMON@mx.sender.test>',
  To: 'news@sender.test',
  Subject: 'Undelivered Mail Returned to Sender',
};

const original = (to: string): string =>
  `Received: from app.sender.test by mx.sender.test; Mon, 16 Nov 2026 09:00:00 +0000\nFrom: News <news@sender.test>\nTo: ${to}\nSubject: Our autumn offers\nMessage-ID: <1@sender.test>\n`;

/** The fields of one recipient in a status part, in their order. */
type StatusFields = Readonly<Record<string, string>>;

/** A delivery report (RFC 3464). */
export const deliveryReport = (
  recipients: readonly StatusFields[],
  {
    text = 'Your message could not be delivered.',
    headers = {},
  }: { text?: string; headers?: Readonly<Record<string, string>> } = {},
): Buffer =>
  multipart('multipart/report; report-type=delivery-status', { ...fromServer, ...headers }, [
    { type: 'text/plain; charset=utf-8', text },
    {
      type: 'message/delivery-status',
      text: [
        'Reporting-MTA: dns; mx.sender.test\n',
        ...recipients.map((fields) =>
          Object.entries(fields)
            .map(([name, value]) => `${name}: ${value}\n`)
            .join(''),
        ),
      ].join('\n'),
    },
    { type: 'message/rfc822', text: original('jane@example.com') },
  ]);

export const failed = (diagnostic: string, more: StatusFields = {}): StatusFields => ({
  'Final-Recipient': 'rfc822; jane@example.com',
  Action: 'failed',
  Status: '5.0.0',
  ...(diagnostic === '' ? {} : { 'Diagnostic-Code': diagnostic }),
  ...more,
});

/** A report without a status part. */
export const textReport = (text: string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  mailOf({ ...fromServer, ...headers }, text);

/** A feedback report (RFC 5965). */
export const feedbackReport = (fields: readonly string[], to = 'jane@example.com'): Buffer =>
  multipart(
    'multipart/report; report-type=feedback-report',
    { From: 'feedback@provider.test', To: 'abuse@sender.test', Subject: 'complaint' },
    [
      { type: 'text/plain', text: 'This is a report about a mail that a person marked as junk.' },
      { type: 'message/feedback-report', text: fields.join('\n') },
      { type: 'message/rfc822', text: original(to) },
    ],
  );
