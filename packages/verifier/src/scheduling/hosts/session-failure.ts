import { type EvidenceStage, egressAwayNote, quoteReply } from '../../evidence.ts';
import {
  classifyEarlyReply,
  classifyReply,
  type EarlyStage,
  type ReplyClass,
} from '../../judgement/classify-reply.ts';
import { replaceMailbox } from '../../judgement/echoed-mailbox.ts';
import type { Reason } from '../../judgement/reasons.ts';
import type { SessionEnding, SessionStage } from '../../smtp/session-types.ts';
import type { JobSession } from '../jobs/job.ts';

type SilentEnding = Exclude<SessionEnding['kind'], 'reply'>;

const notes: Record<SilentEnding, string> = {
  forbidden: 'only private or reserved addresses, not dialled',
  refused: 'connection refused',
  connect_timeout: 'no connection in time',
  lost: 'connection closed by the host',
  egress_away: egressAwayNote,
  protocol: 'not SMTP',
  tls: 'encryption failed',
  tls_demanded: 'encryption demanded',
  timeout: 'no answer in time',
  quit: 'ended by us',
  aborted: 'cancelled',
};

const reasonsOfEnding: Record<SilentEnding, Reason> = {
  forbidden: 'mail_host_forbidden',
  refused: 'connection_refused',
  connect_timeout: 'connection_timeout',
  lost: 'connection_lost',
  egress_away: 'connection_timeout',
  protocol: 'protocol_error',
  tls: 'tls_failed',
  tls_demanded: 'tls_failed',
  timeout: 'reply_timeout',
  quit: 'connection_lost',
  aborted: 'connection_lost',
};

/** Why a conversation ended, as the reason and the evidence of the questions that it left unanswered. */
export interface SessionFailure {
  reason: Reason;
  stage: EvidenceStage;
  /** The host's last words, if it ended the conversation with a reply. */
  farewell: ReplyClass | undefined;
}

/**
 * What to do about questions that a lost conversation left unanswered:
 * - `ask_again`: on another connection, since the host did nothing wrong
 * - `host_is_down`: ask no more for a while
 * - `limit_connection`: the host answered some and then stopped, so it takes fewer on one connection
 * - `pause`: the host asked for it
 * - `one_command_at_a_time`: the host's PIPELINING may be broken, or one of several questions may be the cause; without
 *   pipelining we learn which
 * - `suspect`: the first of them may be the cause
 */
export type LossRemedy =
  | 'ask_again'
  | 'host_is_down'
  | 'limit_connection'
  | 'pause'
  | 'one_command_at_a_time'
  | 'suspect';

export function remedyFor(
  ending: SessionEnding['kind'],
  farewell: ReplyClass | undefined,
  session: Pick<JobSession, 'answeredCount' | 'answeredSinceIdle' | 'hasPipelining' | 'target'>,
  unansweredCount: number,
): LossRemedy {
  const { answeredCount, answeredSinceIdle, hasPipelining, target } = session;
  // The host closed an idle connection just as we spoke.
  const isStale = answeredSinceIdle === 0 && answeredCount > 0 && ending !== 'timeout';
  if (isStale || ending === 'tls_demanded') return 'ask_again';
  if (ending === 'tls' || farewell?.meaning === 'no_answer') return 'host_is_down';
  const isFirstOfHost = target.pipelining === 'unproved' && answeredCount === 0;
  const mayBlamePipelining =
    farewell === undefined && hasPipelining && (unansweredCount > 1 || isFirstOfHost);
  if (ending === 'protocol') return mayBlamePipelining ? 'one_command_at_a_time' : 'host_is_down';
  const isLimit = answeredSinceIdle > 0 && !(mayBlamePipelining && ending === 'timeout');
  if (isLimit) return 'limit_connection';
  if (mayBlamePipelining) return 'one_command_at_a_time';
  return farewell === undefined ? 'suspect' : 'pause';
}

/** `mailbox` is the one that the host was asked about when the conversation ended. */
export function readFailure(
  session: JobSession,
  ending: SessionEnding,
  now: number,
  mailbox = '',
): SessionFailure {
  const since = session.isReady ? session.askedAt : session.startedAt;
  const where = { host: session.target.host, ip: session.ip, ms: now - since };
  if (ending.kind === 'reply') {
    const farewell = classifyFarewell(ending.stage, ending.code, replaceMailbox(ending.text, mailbox));
    const reply = quoteReply(ending.code, ending.text);
    const { rule, reason } = farewell;
    const stage = { stage: visibleStage(ending.stage), ...where, reply, rule, reason };
    return { reason, stage, farewell };
  }
  const at = ending.kind === 'timeout' ? visibleStage(ending.stage) : session.isReady ? 'rcpt' : 'connect';
  const reason = reasonsOfEnding[ending.kind];
  const stage = { stage: at, ...where, note: notes[ending.kind], reason };
  return { reason, stage, farewell: undefined };
}

/** Evidence of a reply within a conversation. */
export function stageOfReply(
  session: JobSession,
  stage: 'rcpt' | 'sender',
  { code, text, found }: { code: number; text: string; found: ReplyClass },
): EvidenceStage {
  return {
    stage,
    host: session.target.host,
    ip: session.ip,
    reply: quoteReply(code, text),
    ms: session.readAt - session.askedAt,
    rule: found.rule,
    ...(found.ourNames && { ourNames: found.ourNames }),
  };
}

function classifyFarewell(stage: SessionStage, code: number, text: string): ReplyClass {
  return stage === 'rcpt' ? classifyReply(code, text) : classifyEarlyReply(earlyStage(stage), code, text);
}

const earlyStage = (stage: SessionStage): EarlyStage =>
  stage === 'greeting' ? 'greeting' : stage === 'sender' ? 'sender' : 'hello';

const visibleStage = (stage: SessionStage): EvidenceStage['stage'] => (stage === 'quit' ? 'connect' : stage);
