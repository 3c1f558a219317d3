import { addressesIn, isSameAddress } from './addresses.ts';
import { namedIn } from './delivery-status.ts';
import { textOfHtml } from './html-text.ts';
import { allOf, type Mail, type MailHeaders, readHeaders } from './mail.ts';

/** What a report says in sentences: of one recipient, and of all of them. */
export interface TextReport {
  /** The sentences in front of the first recipient. */
  readonly preamble: string;
  readonly recipients: readonly { readonly recipient: string; readonly text: string }[];
  readonly text: string;
  /** Whether all of it is about one recipient. */
  readonly isOfOne?: boolean;
}

const returnedTypes = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  'message/global',
  'text/rfc822',
  'message/rfc822-headers',
]);
const textCharactersMax = 50_000;

/** Behind these lines the report quotes the mail that it is about. */
const quoteStarts = [
  'below this line is a copy of the message',
  'this is a copy of the message',
  'original message follows',
  'original message below',
  'original message headers follow',
  'original message -',
  'message header follows',
  'message headers follow',
  'headers of the original message',
  'returned message',
  'returned mail follows',
  'unsent message below',
  'undelivered message follows',
  '-original message-',
  'lines of your original message follow',
  'header of the source mail',
];
const quotedHeader =
  /^\s*>?\s?(?:received|return-path|message-id|dkim-signature|mime-version|delivered-to):\s/i;

/** Mailboxes of servers, which reports name as their author or for questions. */
const serverNames =
  /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|abuse|helpdesk|support|no-?reply|hostmaster)@/i;

export function readTextReport(mail: Mail, countMax: number): TextReport {
  const lines = reportLines(mail);
  const recipients = findRecipients(mail, lines, countMax);
  const starts = recipients
    .map((recipient) => ({ recipient, at: lines.findIndex((line) => isNamed(line, recipient)) }))
    .sort((one, other) => one.at - other.at);
  const first = starts.find(({ at }) => at >= 0)?.at ?? lines.length;
  return {
    preamble: lines.slice(0, first).join('\n'),
    recipients: starts.map(({ recipient, at }, index) => ({
      recipient,
      text: at < 0 ? '' : lines.slice(at, endOfSlice(starts, index, lines.length)).join('\n'),
    })),
    text: lines.join('\n'),
  };
}

/** Recipients in one line or one after the other share what follows. */
function endOfSlice(starts: readonly { readonly at: number }[], index: number, lineCount: number): number {
  let at = starts[index]?.at ?? 0;
  for (const next of starts.slice(index + 1)) {
    if (next.at > at + 1) return next.at;
    at = next.at;
  }
  return lineCount;
}

const isNamed = (line: string, recipient: string): boolean =>
  line.toLowerCase().includes(recipient.toLowerCase());

/** The lines that the reporting server wrote, without the mail that it returns. */
function reportLines(mail: Mail): string[] {
  const returnedAt = mail.parts.findIndex(({ type }) => returnedTypes.has(type));
  const own = returnedAt < 0 ? mail.parts : mail.parts.slice(0, returnedAt);
  const plain = own.filter(({ type }) => type === 'text/plain' || type === 'text');
  const texts = plain.some(({ text }) => text.trim() !== '')
    ? plain.map(({ text }) => text)
    : own.filter(({ type }) => type === 'text/html').map(({ text }) => textOfHtml(text));
  const lines = texts
    .join('\n')
    .slice(0, textCharactersMax)
    .split('\n')
    .map((line) => line.trimEnd());
  const end = lines.findIndex((line, index) => index > 0 && isQuoteStart(line));
  return end < 0 ? lines : lines.slice(0, end);
}

function isQuoteStart(line: string): boolean {
  if (quotedHeader.test(line)) return true;
  const lower = line.toLowerCase();
  return quoteStarts.some((start) => lower.includes(start));
}

/** Those that the report names as failed; else those in its lines to whom the returned mail went, or who begin a line. */
function findRecipients(mail: Mail, lines: readonly string[], countMax: number): string[] {
  const failed = namedIn(mail.headers, 'x-failed-recipients');
  if (failed.length > 0) return failed.slice(0, countMax);
  const own = [
    ...namedIn(mail.headers, 'to'),
    ...namedIn(mail.headers, 'from'),
    ...namedIn(mail.headers, 'return-path'),
  ];
  const isOther = (address: string) =>
    !serverNames.test(address) && !own.some((one) => isSameAddress(one, address));
  const written = addressesIn(lines.filter((line) => !quotesHeader.test(line)).join('\n')).filter(isOther);
  const returned = returnedRecipients(mail).filter(isOther);
  const first = written.filter((address) => lines.some((line) => beginsWith(line, address)));
  const both = (first.length > 0 ? first : written).filter((address) =>
    returned.some((one) => isSameAddress(one, address)),
  );
  if (both.length > 0) return both.slice(0, countMax);
  if (first.length > 0) return first.slice(0, countMax);
  if (written.length > 0) return written.slice(0, 1);
  const quoted = addressesIn(lines.join('\n')).filter(isOther);
  // A mail to several recipients does not say which of them failed.
  return quoted.length === 1 ? quoted : returned.length === 1 ? returned : [];
}

/** A header of the returned mail, which many reports repeat. A mailing list that it went to is not who failed. */
const quotesHeader = /^[\s>*]*(?:to|cc|from|subject|sent|date)\s*:/i;

/** Whether an address is the first word of a line. */
function beginsWith(line: string, address: string): boolean {
  const at = line.toLowerCase().indexOf(address.toLowerCase());
  if (at < 0 || at > beginningCharactersMax) return false;
  return /^[\s<>"'(*:-]*$/.test(line.slice(0, at).replace(/recipient:|rfc822;|smtp:/i, ''));
}

const beginningCharactersMax = 40;

/** Whom the returned mail was sent to. */
export function returnedRecipients(mail: Mail): string[] {
  const headers = returnedHeaders(mail);
  return headers === undefined
    ? []
    : ['to', 'cc'].flatMap((name) => allOf(headers, name).flatMap((value) => addressesIn(value)));
}

export function returnedHeaders(mail: Mail): MailHeaders | undefined {
  const part = mail.parts.find(({ type }) => returnedTypes.has(type));
  return part && readHeaders(part.text).headers;
}
