import { parseAddress } from './address/parse-address.ts';
import { type Basis, decidingStage, isOwnQuestion } from './basis.ts';
import { isCut } from './evidence.ts';
import {
  classifyEarlyReply,
  createReplyClassifier,
  type EarlyStage,
  parseWrittenReply,
  type ReplyClass,
} from './judgement/classify-reply.ts';
import { isOfLivingMailbox, judgeAccepted, judgeFailures, judgeRefused } from './judgement/judge.ts';
import { isReason, type Reason, resultOf } from './judgement/reasons.ts';
import { replyRules } from './judgement/reply-rules.ts';

/** A stored finding. Older ones have no basis. */
export interface PastFinding {
  readonly email: string;
  readonly reason: string;
  readonly basis?: Basis | null;
  readonly evidence: readonly PastStage[];
}

interface PastStage {
  readonly stage: string;
  readonly reply?: string | null;
  readonly rule?: string;
  readonly reason?: Reason;
  readonly ourNames?: readonly string[];
}

/** What the rules of today say of a finding. */
export interface Rejudgement {
  readonly reason: Reason;
  readonly rule: string;
}

/**
 * Judges a stored finding by the rules of today, without asking anybody. Undefined if its evidence does not suffice: it is
 * older than the basis, or a reply that decides was too long to be kept whole. See docs/decisions/verifier-judged-again.md.
 */
export function judgeAgain({ email, reason, basis, evidence }: PastFinding): Rejudgement | undefined {
  if (!basis || !isReason(reason)) return undefined;
  const parsed = parseAddress(email);
  if (!parsed.ok) return { reason: parsed.reason, rule: 'syntax' };
  // An address that was refused for its syntax was never asked about.
  if (basis.rule === 'syntax') return undefined;
  const decided = decidingStage(evidence, reason);
  if (decided?.reason !== undefined) return judgeHostsAgain(reason, basis, evidence);
  // Nobody replied, so there is nothing to read again.
  if (!decided?.reply) return { reason, rule: basis.rule };
  const found = readAgain(decided, parsed.mailbox);
  return found && { reason: judgeReplyAgain(found, basis, evidence), rule: found.rule };
}

/** Reads the reply of a stage; undefined if only its beginning was kept. */
function readAgain({ stage, reply, ourNames = [] }: PastStage, mailbox: string): ReplyClass | undefined {
  const written = reply && !isCut(reply) ? parseWrittenReply(reply) : undefined;
  if (written === undefined) return undefined;
  const { code, text } = written;
  if (stage in earlyStages) return classifyEarlyReply(earlyStages[stage] as EarlyStage, code, text);
  return createReplyClassifier(ourNames)(code, text, mailbox);
}

/** Where in the conversation a reply was given, when not to RCPT. */
const earlyStages: Record<string, EarlyStage> = {
  connect: 'hello',
  tls: 'hello',
  hello: 'hello',
  greeting: 'greeting',
  sender: 'sender',
};

function judgeReplyAgain(found: ReplyClass, basis: Basis, evidence: readonly PastStage[]): Reason {
  const isStillConfirmed = ownAnswersStand(evidence);
  if (found.meaning === 'accepted') {
    return judgeAccepted(isStillConfirmed ? (basis.proof ?? 'unproved') : 'unproved');
  }
  if (found.meaning !== 'refused') return found.reason;
  // Words that could be about us need a control of their own.
  const isControlled = isStillConfirmed && (!found.isAmbiguous || basis.isAmbiguous === true);
  return judgeRefused(found, isControlled ? (basis.control ?? 'unproved') : 'unproved');
}

/** Whether the answers to our own questions still mean what they meant. If not, they would have to be asked again. */
function ownAnswersStand(evidence: readonly PastStage[]): boolean {
  return evidence.every((stage) => {
    if (!isOwnQuestion(stage.stage) || stage.reason === undefined || !isReplyRule(stage.rule)) return true;
    const found = readAgain(stage, '');
    return found !== undefined && provesOf(found.reason) === provesOf(stage.reason);
  });
}

const replyRuleIds = new Set(replyRules.map(({ id }) => id));
const isReplyRule = (rule: string | undefined): boolean => rule !== undefined && replyRuleIds.has(rule);

const provesOf = (reason: Reason): string =>
  isOfLivingMailbox(reason) ? 'a living mailbox' : resultOf(reason);

/** Of several hosts, one reply may tell more than another. */
function judgeHostsAgain(
  reason: Reason,
  basis: Basis,
  evidence: readonly PastStage[],
): Rejudgement | undefined {
  const failures = evidence.flatMap((stage) =>
    stage.reason === undefined ? [] : [{ stage, reason: stage.reason }],
  );
  const again = failures.map(({ stage, reason: before }) => readFailureAgain(stage, before));
  if (again.some((found) => found === undefined)) return undefined;
  const found = again as Rejudgement[];
  const isOfAll = judgeFailures(failures) === reason;
  const isOfAsked = judgeFailures(failures, { hasUnaskedHosts: true }) === reason;
  // The last host held us off, which decides alone.
  const judged =
    isOfAll || isOfAsked ? judgeFailures(found, { hasUnaskedHosts: !isOfAll }) : found.at(-1)?.reason;
  if (judged === undefined) return undefined;
  return { reason: judged, rule: found.find((one) => one.reason === judged)?.rule ?? basis.rule };
}

function readFailureAgain(stage: PastStage, reason: Reason): Rejudgement | undefined {
  if (stage.rule === undefined || !stage.reply) return { reason, rule: stage.rule ?? 'host-failed' };
  return readAgain(stage, '');
}
