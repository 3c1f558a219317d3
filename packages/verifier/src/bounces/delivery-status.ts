import { addressesIn, firstAddressIn, isSameAddress } from './mail/addresses.ts';
import { decodeWords } from './mail/decode-text.ts';
import { headerOf, type MailHeaders, readHeaders } from './mail/mail.ts';

/** What the status part of a report says of one recipient (RFC 3464). */
export interface RecipientStatus {
  readonly recipient: string | null;
  /** The address that failed, if it is another one, to which the recipient's mail is forwarded. */
  readonly forwardedTo: string | undefined;
  readonly action: string;
  /** Such as 5.1.1, or nothing. */
  readonly status: string;
  readonly diagnostic: string;
}

const wholeStatus = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** Some servers write the diagnostic behind the status. */
const statusComment = /\(([^()]{3,500})\)/;
const typePrefix = /^[a-z0-9-]{1,40} ?;/i;
const fieldsMax = 20_000;

/** The recipients in a status part, each on its own: what is said of one says nothing of the next. */
export function readRecipientStatuses(text: string, countMax: number): RecipientStatus[] {
  const recipients: RecipientStatus[] = [];
  for (const fields of blocksOf(text)) {
    const found = readRecipient(fields);
    if (found === undefined) continue;
    if (recipients.length >= countMax) break;
    recipients.push(found);
  }
  return recipients;
}

/** Blocks end at an empty line; servers that forget it begin the next one with its recipient. */
function* blocksOf(text: string): Generator<MailHeaders> {
  let lines: string[] = [];
  let length = 0;
  const isRecipient = (line: string) => /^final-recipient:/i.test(line);
  for (const line of text.split('\n')) {
    const isNext = line.trim() === '' || (isRecipient(line) && lines.some(isRecipient));
    if (isNext) {
      if (lines.length > 0) yield readHeaders(`${lines.join('\n')}\n\n`).headers;
      lines = [];
      length = 0;
    }
    length += line.length;
    if (line.trim() !== '' && length < fieldsMax) lines.push(line.trimEnd());
  }
  if (lines.length > 0) yield readHeaders(`${lines.join('\n')}\n\n`).headers;
}

function readRecipient(fields: MailHeaders): RecipientStatus | undefined {
  const final = addressOf(fields, 'final-recipient');
  const original = addressOf(fields, 'original-recipient') ?? addressOf(fields, 'x-original-recipient');
  const actual = addressOf(fields, 'x-actual-recipient');
  const recipient = original ?? final ?? actual;
  const action =
    headerOf(fields, 'action')
      .toLowerCase()
      .split(/[\s;(]/)[0] ?? '';
  if (!fields.has('final-recipient') && !fields.has('original-recipient') && action === '') return undefined;
  return {
    recipient: recipient ?? null,
    forwardedTo: [final, actual].find((other) => recipient && other && !isSameAddress(recipient, other)),
    action,
    status: wholeStatus.exec(headerOf(fields, 'status'))?.[0] ?? '',
    diagnostic: diagnosticOf(fields) || (statusComment.exec(headerOf(fields, 'status'))?.[1] ?? ''),
  };
}

function addressOf(fields: MailHeaders, name: string): string | undefined {
  const value = headerOf(fields, name);
  // xtext (RFC 3461 §4) writes `+` as `+2B`.
  return firstAddressIn(value.replace(typePrefix, '').replaceAll('+2B', '+'));
}

function diagnosticOf(fields: MailHeaders): string {
  const all = fields.get('diagnostic-code') ?? [];
  return all
    .map((_, index) => diagnosticAt(fields, index))
    .join(' ')
    .trim();
}

const diagnosticAt = (fields: MailHeaders, index: number): string =>
  decodeWords(fields.get('diagnostic-code')?.[index] ?? '')
    .replace(typePrefix, '')
    .trim();

/** The recipients that a header of the report names, such as `X-Failed-Recipients`. */
export const namedIn = (headers: MailHeaders, name: string): string[] =>
  addressesIn(headerOf(headers, name), 1_000);
