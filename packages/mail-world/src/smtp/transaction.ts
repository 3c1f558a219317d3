import type { Host } from './host.ts';

/** What a client has said so far about the mail it would send. */
export interface Envelope {
  peer: string;
  hasSaidHello: boolean;
  sender?: string;
  isUtf8: boolean;
  /** The last MAIL was refused: RCPT commands sent along with it are the client's good right. */
  isSenderRefused: boolean;
  /** Recipients taken in this transaction. */
  recipientCount: number;
  /** Recipients named on this connection. */
  recipientTotal: number;
  unknownCount: number;
  transactionCount: number;
}

export function newEnvelope(peer: string): Envelope {
  return {
    peer,
    hasSaidHello: false,
    isUtf8: false,
    isSenderRefused: false,
    recipientCount: 0,
    recipientTotal: 0,
    unknownCount: 0,
    transactionCount: 0,
  };
}

interface Path {
  path: string;
  parameters: string;
}

export interface MailOpinion {
  reply: string;
  isMisconduct?: boolean;
  begins?: Pick<Envelope, 'sender' | 'isUtf8'>;
}

export function judgeMail(host: Host, envelope: Envelope, path: Path | undefined): MailOpinion {
  if (!envelope.hasSaidHello) return { reply: '503 5.5.1 Error: send HELO/EHLO first', isMisconduct: true };
  if (envelope.sender !== undefined)
    return { reply: '503 5.5.1 Error: nested MAIL command', isMisconduct: true };
  if (!path) return { reply: '501 5.1.7 Bad sender address syntax', isMisconduct: true };
  const isUtf8 = /(^| )SMTPUTF8\b/.test(path.parameters);
  if (isUtf8 && !host.plan.extensions.includes('SMTPUTF8'))
    return { reply: '555 5.5.4 Unsupported option: SMTPUTF8', isMisconduct: true };
  const overLimit = host.limitReply('transactions', envelope.transactionCount + 1);
  return { reply: overLimit ?? '250 2.1.0 Ok', begins: { sender: path.path, isUtf8 } };
}

export interface RcptOpinion {
  reply: string;
  isMisconduct?: boolean;
  rcpt?: string;
  seconds?: number;
}

export function judgeRcpt(
  host: Host,
  envelope: Envelope,
  path: Path | undefined,
  nowMs: number,
): RcptOpinion {
  if (envelope.sender === undefined)
    return { reply: '503 5.5.1 Error: need MAIL command', isMisconduct: !envelope.isSenderRefused };
  if (!path || path.path === '')
    return { reply: '501 5.1.3 Bad recipient address syntax', isMisconduct: true };
  const rcpt = path.path;
  envelope.recipientTotal += 1;
  const limit =
    host.limitReply('recipients-per-connection', envelope.recipientTotal) ??
    host.limitReply('recipients-per-transaction', envelope.recipientCount + 1) ??
    host.limitReply('unknown', envelope.unknownCount + 1) ??
    (host.isBeyondPace(nowMs) ? host.overLimitReply('recipients-per-period') : undefined);
  if (limit !== undefined) return { reply: limit, rcpt };

  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  if (!envelope.isUtf8 && /[^\x00-\x7f]/.test(rcpt))
    return { reply: '553 5.6.7 Address includes non-ASCII characters, SMTPUTF8 is required', rcpt };

  const waitMs = host.greylistWaitMs({ peer: envelope.peer, sender: envelope.sender, recipient: rcpt });
  if (waitMs > 0) return { reply: host.word('greylist'), rcpt, seconds: secondsOf(waitMs) };

  const opinion = host.judge(rcpt);
  const reply = 'say' in opinion ? opinion.say : host.word(opinion.kind, opinion.wording);
  if (reply.startsWith('2')) envelope.recipientCount += 1;
  else if ('kind' in opinion && opinion.kind === 'missing') envelope.unknownCount += 1;
  return { reply, rcpt };
}

// A greylister that never gives in still names a delay, as if it would.
const endlessSeconds = 300;

function secondsOf(waitMs: number): number {
  return Number.isFinite(waitMs) ? Math.ceil(waitMs / 1000) : endlessSeconds;
}
