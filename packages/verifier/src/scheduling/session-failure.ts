import { type EvidenceStage, quoteReply } from '../evidence.ts';
import {
  classifyEarlyReply,
  classifyReply,
  type EarlyStage,
  type ReplyClass,
} from '../judgement/classify-reply.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { Question, SessionEnding, SessionStage, SmtpSession } from '../smtp/session.ts';

const notes: Record<Exclude<SessionEnding['kind'], 'reply'>, string> = {
  forbidden: 'only private or reserved addresses, not dialled',
  refused: 'connection refused',
  connect_timeout: 'no connection in time',
  lost: 'connection closed by the host',
  protocol: 'not SMTP',
  tls: 'encryption failed',
  tls_demanded: 'encryption demanded',
  timeout: 'no answer in time',
  quit: 'ended by us',
  aborted: 'cancelled',
};

const reasonsOfEnding: Record<SessionEnding['kind'], Reason> = {
  forbidden: 'mail_host_forbidden',
  refused: 'connection_refused',
  connect_timeout: 'connection_timeout',
  lost: 'connection_lost',
  protocol: 'protocol_error',
  tls: 'tls_failed',
  tls_demanded: 'tls_failed',
  timeout: 'reply_timeout',
  reply: 'sender_refused',
  quit: 'connection_lost',
  aborted: 'connection_lost',
};

/** What the end of a conversation means for the questions that it left unanswered. */
export interface SessionFailure {
  reason: Reason;
  stage: EvidenceStage;
  /** What the host said in parting, when it said anything. */
  farewell: ReplyClass | undefined;
}

export function readFailure(
  session: SmtpSession<Question>,
  ending: SessionEnding,
  now: number,
): SessionFailure {
  const since = session.isReady ? session.askedAt : session.startedAt;
  const where = { host: session.target.host, ip: session.ip, ms: now - since };
  if (ending.kind === 'reply') {
    const farewell = classifyFarewell(ending.stage, ending.code, ending.text);
    const reply = quoteReply(ending.code, ending.text);
    const stage = { stage: visibleStage(ending.stage), ...where, reply, rule: farewell.rule };
    return { reason: farewell.reason, stage, farewell };
  }
  const at = ending.kind === 'timeout' ? visibleStage(ending.stage) : session.isReady ? 'rcpt' : 'connect';
  const stage = { stage: at, ...where, note: notes[ending.kind] };
  return { reason: reasonsOfEnding[ending.kind], stage, farewell: undefined };
}

/** Evidence of a reply that was given in a conversation. */
export function stageOfReply(
  session: SmtpSession<Question>,
  stage: 'rcpt' | 'sender',
  reply: { code: number; text: string; rule: string },
): EvidenceStage {
  return {
    stage,
    host: session.target.host,
    ip: session.ip,
    reply: quoteReply(reply.code, reply.text),
    ms: session.readAt - session.askedAt,
    rule: reply.rule,
  };
}

function classifyFarewell(stage: SessionStage, code: number, text: string): ReplyClass {
  return stage === 'rcpt' ? classifyReply(code, text) : classifyEarlyReply(earlyStage(stage), code, text);
}

const earlyStage = (stage: SessionStage): EarlyStage =>
  stage === 'greeting' ? 'greeting' : stage === 'sender' ? 'sender' : 'hello';

const visibleStage = (stage: SessionStage): EvidenceStage['stage'] => (stage === 'quit' ? 'connect' : stage);
