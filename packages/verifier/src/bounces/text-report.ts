import { namedIn } from './delivery-status.ts';
import { addressesIn, firstAddressIn } from './mail/addresses.ts';
import { textOfHtml } from './mail/html-text.ts';
import { allOf, type Mail, type MailHeaders, readHeaders } from './mail/mail.ts';

/** What a report says in sentences: of one recipient, and of all of them. */
export interface TextReport {
  /** The sentences in front of the first recipient. */
  readonly preamble: string;
  readonly recipients: readonly { readonly recipient: string; readonly text: string }[];
  readonly text: string;
  /** Whether the report says who failed, and does not only mention an address. */
  readonly namesRecipients: boolean;
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
const quotedHeader = /^\s*>?\s?(?:received|return-path|dkim-signature|mime-version|delivered-to):/i;

/** Mailboxes of servers, which reports name as their author or for questions. */
const serverNames =
  /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|abuse|helpdesk|support|no-?reply|hostmaster)@/i;

export function readTextReport(mail: Mail, countMax: number): TextReport {
  const lines = reportLines(mail);
  const { addresses, areNamed } = findRecipients(mail, lines);
  const lineOf = firstLines(lines);
  const starts = addresses
    .slice(0, countMax)
    .map((recipient) => {
      const at = lineOf.get(toLower(recipient)) ?? -1;
      return { recipient, at, isShared: hasOnlyAddresses(lines[at] ?? '') };
    })
    .sort((one, other) => one.at - other.at);
  const first = starts.find(({ at }) => at >= 0)?.at ?? lines.length;
  return {
    preamble: lines.slice(0, first).join('\n'),
    recipients: starts.map(({ recipient, at }, index) => ({
      recipient,
      text: at < 0 ? '' : lines.slice(at, endOfSlice(starts, index, lines.length)).join('\n'),
    })),
    text: lines.join('\n'),
    namesRecipients: areNamed,
  };
}

/** The first line that begins with an address, or else that names it, by address. */
function firstLines(lines: readonly string[]): Map<string, number> {
  const beginnings = new Map<string, number>();
  const mentions = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    if (quotesHeader.test(line)) continue;
    const start = addressAtStart(line);
    if (start !== undefined && !beginnings.has(start)) beginnings.set(start, at);
    for (const address of addressesIn(line).map(toLower))
      if (!mentions.has(address)) mentions.set(address, at);
  }
  return new Map([...mentions, ...beginnings]);
}

interface Start {
  readonly at: number;
  /** Whether the recipient of the next line shares what follows. */
  readonly isShared: boolean;
}

/** Recipients in one line share what follows, and those in one line after the other without a word between them. */
function endOfSlice(starts: readonly Start[], index: number, lineCount: number): number {
  let last = starts[index];
  for (const next of starts.slice(index + 1)) {
    if (last && next.at > last.at + (last.isShared ? 1 : 0)) return next.at;
    last = next;
  }
  return lineCount;
}

const hasOnlyAddresses = (line: string): boolean =>
  line
    .replace(kindOfAddress, '')
    .split(/[\s<>"'()*:;,]+/)
    .every((word) => word.includes('@') || /^[.-]*$/.test(word));

const toLower = (text: string): string => text.toLowerCase();

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
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => (isQuoted(line) ? '' : line));
}

/** Sendmail begins what it said to a host with `>>>`. */
function isQuoted(line: string): boolean {
  const text = line.trimStart();
  return text.startsWith('>') && !text.startsWith('>>>');
}

function isQuoteStart(line: string): boolean {
  if (quotedHeader.test(line)) return true;
  const lower = line.toLowerCase();
  return quoteStarts.some((start) => lower.includes(start));
}

interface FoundRecipients {
  readonly addresses: readonly string[];
  readonly areNamed: boolean;
}

/** Those that the report names as failed; else those who begin its lines, above all if the returned mail went to them. */
function findRecipients(mail: Mail, lines: readonly string[]): FoundRecipients {
  const failed = namedIn(mail.headers, 'x-failed-recipients');
  if (failed.length > 0) return { addresses: failed, areNamed: true };
  const own = new Set(
    ['to', 'from', 'return-path'].flatMap((name) => namedIn(mail.headers, name)).map(toLower),
  );
  const isOther = (address: string) => !serverNames.test(address) && !own.has(toLower(address));
  const returned = returnedRecipients(mail).filter(isOther);
  const written = addressesIn(lines.filter((line) => !quotesHeader.test(line)).join('\n')).filter(isOther);
  const beginnings = new Set(lines.map(addressAtStart));
  const first = written.filter((address) => beginnings.has(toLower(address)));
  const sentTo = new Set(returned.map(toLower));
  const both = (first.length > 0 ? first : written).filter((address) => sentTo.has(toLower(address)));
  if (both.length > 0) return { addresses: both, areNamed: true };
  if (first.length > 0) return { addresses: first, areNamed: true };
  if (written.length > 0) return { addresses: written.slice(0, 1), areNamed: false };
  const quoted = addressesIn(lines.join('\n')).filter(isOther);
  // A mail to several recipients does not say which of them failed.
  if (quoted.length === 1) return { addresses: quoted, areNamed: false };
  return { addresses: returned.length === 1 ? returned : [], areNamed: true };
}

/** A header of the returned mail, which many reports repeat. A mailing list that it went to is not who failed. */
const quotesHeader = /^[\s>*]*(?:to|cc|from|subject|sent|date)\s*:/i;

const beginning = /^[\s<>"'(*:-]*$/;
const kindOfAddress = /recipient:|rfc822;|smtp:/i;

/** The address that is the first word of a line, in lower case. */
function addressAtStart(line: string): string | undefined {
  const address = firstAddressIn(line);
  if (address === undefined) return undefined;
  const before = line.slice(0, line.indexOf(address)).slice(0, beginningCharactersMax);
  return beginning.test(before.replace(kindOfAddress, '')) ? toLower(address) : undefined;
}

const beginningCharactersMax = 100;

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
