import type { EvidenceStage } from './evidence.ts';
import { enhancedCodeIn } from './judgement/classify-reply.ts';
import type { CatchAllKnowledge, RefusalKnowledge } from './judgement/judge.ts';
import type { Reason } from './judgement/reasons.ts';
import { rulesVersion } from './judgement/rule-versions.ts';
import type { Job } from './scheduling/jobs/job.ts';

/**
 * What a finding rests on. With the evidence, it is enough for `judgeAgain` to judge without asking anybody. Findings are
 * stored with it, so its fields must stay.
 */
export interface Basis {
  /** The version of the rules that judged. */
  readonly rules: number;
  /** The rule that decided, by its id. */
  readonly rule: string;
  /** The codes of the reply that decided; its words are in the evidence. */
  readonly code?: number;
  readonly enhanced?: string;
  /** Of an accepted address: whether the host accepts any name. */
  readonly proof?: CatchAllKnowledge;
  /** Of a refused address: whether the refusal says anything about the mailbox. */
  readonly control?: RefusalKnowledge;
  /** The words could be about us as well, so that only a control after them confirmed them. */
  readonly isAmbiguous?: true;
}

/** The basis of an address that no host was asked about. */
export const basisBy = (rule: string): Basis => ({ rules: rulesVersion, rule });

export function basisOf(job: Job, reason: Reason, stages: readonly EvidenceStage[]): Basis {
  const stage = decidingStage(stages, reason);
  const basis = { ...basisBy(ruleOf(job, stage)), ...codesOf(stage) };
  const { answer } = job;
  if (answer?.meaning === 'accepted') return { ...basis, proof: proofs[reason] ?? 'unproved' };
  if (answer?.meaning !== 'refused') return basis;
  const isAmbiguous = answer.isAmbiguous && { isAmbiguous: true as const };
  return { ...basis, control: controls[reason] ?? 'confirmed', ...isAmbiguous };
}

// Each of these reasons comes from one state of the proof, or of the control.
const proofs: Partial<Record<Reason, CatchAllKnowledge>> = {
  mailbox_accepted: 'no',
  catch_all: 'yes',
  answers_change: 'changed',
};
const controls: Partial<Record<Reason, RefusalKnowledge>> = {
  refuses_everyone: 'refuted',
  refusal_unproved: 'unproved',
  answers_change: 'changed',
};

/** The step that decided, if it was not a question of our own: of several hosts that failed, the first with this reason. */
export function decidingStage<Stage extends { readonly stage: string; readonly reason?: Reason }>(
  stages: readonly Stage[],
  reason: string,
): Stage | undefined {
  const last = stages.findLast(({ stage }) => !isOwnQuestion(stage));
  return last?.reason === undefined ? last : (stages.find((stage) => stage.reason === reason) ?? last);
}

export const isOwnQuestion = (stage: string): boolean => stage === 'proof' || stage === 'control';

function ruleOf({ answer }: Job, stage: EvidenceStage | undefined): string {
  const rule = stage?.rule ?? answer?.rule;
  if (rule !== undefined) return rule;
  return stage?.reason === undefined ? 'mail-route' : 'host-failed';
}

function codesOf(stage: EvidenceStage | undefined): Pick<Basis, 'code' | 'enhanced'> {
  if (stage?.reply === undefined) return {};
  const enhanced = enhancedCodeIn(stage.reply);
  return { code: Number(stage.reply.slice(0, 3)), ...(enhanced !== undefined && { enhanced }) };
}
