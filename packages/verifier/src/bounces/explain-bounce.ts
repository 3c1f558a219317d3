import { parseWrittenReply } from '../judgement/classify-reply.ts';
import type { BounceFinding } from './bounce-reasons.ts';
import { explainMail } from './explain-mail.ts';
import { judgeReply, judgeWords } from './judge-words.ts';
import { explainEvents } from './sender-events.ts';

/** The largest mail, reply or event that is read. */
export const bounceBytesMax = 1_048_576;

/** What a reply of a mail host means; undefined if it is none. */
export function explainReply(reply: string): BounceFinding[] | undefined {
  const parsed = parseWrittenReply(reply);
  if (parsed === undefined) return undefined;
  const found = parsed.code < 400 ? judgeReply(parsed, '', reply) : judgeWords(reply, { reply: parsed });
  return found && [{ recipient: null, ...found }];
}

/** What came back after sending: a mail, a reply or the events of a sender; undefined if it is none of them. */
export function explainBounce(bytes: Uint8Array): BounceFinding[] | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200))
    .toString('latin1')
    .trimStart();
  if (/^[2-5]\d\d(?:[ -]|\s*$)/.test(start)) return explainReply(Buffer.from(bytes).toString('utf8').trim());
  if (start.startsWith('{') || start.startsWith('[') || start.startsWith('mandrill_events=')) {
    return explainEvents(parseEvents(Buffer.from(bytes).toString('utf8')));
  }
  return explainMail(bytes);
}

/** Mandrill sends a form. */
function parseEvents(text: string): unknown {
  const json = text.startsWith('mandrill_events=')
    ? (new URLSearchParams(text).get('mandrill_events') ?? '')
    : text;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
