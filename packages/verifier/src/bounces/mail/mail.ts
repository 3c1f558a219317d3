import { bytesOf, decodeBody, decodeWords } from './decode-text.ts';

/** The names in lower case, each with its values in order, unfolded. */
export type MailHeaders = ReadonlyMap<string, readonly string[]>;

/** A part that holds no other parts. */
interface MailPart {
  /** In lower case, such as `text/plain`. */
  readonly type: string;
  /** Bytes as Latin-1 in a part that begins with headers: who reads them decodes them. */
  readonly text: string;
}

export interface Mail {
  readonly headers: MailHeaders;
  readonly type: string;
  /** In the order of the mail, also those of parts within parts. */
  readonly parts: readonly MailPart[];
}

// Far above every report that we know. What is beyond them is not read, so that a hostile mail costs no more than its
// length. See docs/decisions/bounces-own-reader.md.
const depthMax = 8;
const partsMax = 100;
const headersMax = 500;
const headerCharactersMax = 10_000;
const headerBlockCharactersMax = 128_000;
const boundaryCharactersMax = 200;
const partCharactersMax = 200_000;

const headerName = /^[!-9;-~]{1,80}$/;
/** One of these is in every mail. */
const usualHeaders = [
  'from',
  'to',
  'subject',
  'received',
  'return-path',
  'date',
  'content-type',
  'message-id',
];

/**
 * Reads a mail as far as a report needs it; undefined if it is none. Takes bytes as Latin-1, with lines that end in any way, and
 * with blank ones before its headers, as some programs save it.
 */
export function readMail(bytes: string): Mail | undefined {
  const raw = bytes.replace(/\r\n?/g, '\n').trimStart();
  const { headers, bodyAt } = readHeaders(raw);
  if (!usualHeaders.some((name) => headers.has(name))) return undefined;
  const parts: MailPart[] = [];
  readParts(headers, raw.slice(bodyAt), { parts, depth: 0 });
  return { headers, type: typeOf(headers).type, parts };
}

/** The headers at the start of a text, and where its body begins. */
export function readHeaders(text: string): { headers: MailHeaders; bodyAt: number } {
  const headers = new Map<string, string[]>();
  let last: { values: string[] } | undefined;
  let count = 0;
  let at = skipBlankLines(text);
  while (at < text.length && at < headerBlockCharactersMax) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, Math.min(lineEnd, at + headerCharactersMax)).trimEnd();
    const next = lineEnd + 1;
    if (line === '') return { headers, bodyAt: next };
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded && last !== undefined) {
      const value = last.values.at(-1) ?? '';
      if (value.length < headerCharactersMax)
        last.values[last.values.length - 1] = `${value}\n${line.trim()}`;
    } else if (!isMailboxLine(line)) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
      if (!headerName.test(name)) return { headers, bodyAt: at };
      const values = headers.get(name) ?? [];
      last = { values };
      values.push(line.slice(colon + 1).trim());
      count += 1;
      if (count <= headersMax) headers.set(name, values);
    }
    at = next;
  }
  const blank = /\n\n/g;
  blank.lastIndex = Math.max(0, at - 2);
  const found = blank.exec(text);
  return { headers, bodyAt: found === null ? text.length : blank.lastIndex };
}

/** The first value on one line, with its encoded words decoded; nothing if the header is missing. */
export const headerOf = (headers: MailHeaders, name: string): string => allOf(headers, name)[0] ?? '';

export const allOf = (headers: MailHeaders, name: string): string[] =>
  (headers.get(name) ?? []).map((value) => decodeWords(value.replaceAll('\n', ' ')));

/** The line with which mail programs begin a mail in a file of many. */
const isMailboxLine = (line: string): boolean => line.startsWith('From ') || line.startsWith('>From ');

function readParts(
  headers: MailHeaders,
  body: string,
  { parts, depth }: { readonly parts: MailPart[]; readonly depth: number },
): void {
  if (parts.length >= partsMax) return;
  const { type, boundary, charset } = typeOf(headers);
  const inner = type.startsWith('multipart/') && depth < depthMax ? splitParts(body, boundary) : [];
  for (const part of inner) {
    const read = readHeaders(part);
    // A part may begin with its text.
    readParts(read.headers, part.slice(read.bodyAt), { parts, depth: depth + 1 });
  }
  if (inner.length > 0) return;
  const encoding = headerOf(headers, 'content-transfer-encoding');
  // Yahoo announces parts and sends none.
  const leafType = type.startsWith('multipart/') ? 'text/plain' : type;
  const content = body.slice(0, partCharactersMax);
  const text = beginsWithHeaders.test(type)
    ? bytesOf(content, encoding).toString('latin1').replaceAll('\r\n', '\n')
    : decodeBody(content, encoding, charset);
  parts.push({ type: leafType, text });
}

const beginsWithHeaders = /^(?:message\/|text\/rfc822)/;

interface ContentType {
  readonly type: string;
  readonly boundary: string;
  readonly charset: string;
}

function typeOf(headers: MailHeaders): ContentType {
  const [type = '', ...parameters] = headerOf(headers, 'content-type').split(';').slice(0, 50);
  const parameterOf = (name: string): string => {
    const given = parameters.find((parameter) => parameter.trim().toLowerCase().startsWith(`${name}=`)) ?? '';
    const value = given.slice(given.indexOf('=') + 1).trim();
    return value.startsWith('"') ? (value.slice(1).split('"')[0] ?? '') : value;
  };
  return {
    // Some servers forget the semicolon before the first parameter.
    type: type.trim().split(/\s/, 1)[0]?.toLowerCase() || 'text/plain',
    boundary: parameterOf('boundary').slice(0, boundaryCharactersMax),
    charset: parameterOf('charset'),
  };
}

/** What is between the lines of a boundary. Without such a line there are no parts, and the body is a text. */
function splitParts(body: string, boundary: string): string[] {
  if (boundary === '') return [];
  const parts: string[] = [];
  const line = `--${boundary}`;
  let start = -1;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    const lineEnd = endOfLine(body, at);
    const rest = body.slice(at + line.length, Math.min(lineEnd, at + line.length + 10)).trim();
    if (rest !== '' && rest !== '--') continue;
    if (start >= 0) parts.push(body.slice(start, at));
    if (rest === '--' || parts.length >= partsMax) return parts;
    start = lineEnd + 1;
  }
  if (start >= 0 && start < body.length) parts.push(body.slice(start));
  return parts;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function skipBlankLines(text: string): number {
  let at = 0;
  while (text[at] === '\n') at += 1;
  return at;
}
