import type { EvidenceStage } from '../../evidence.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';

export interface ProbeQuestion {
  readonly mailbox: string;
  isAsked: boolean;
  answer: ReplyClass | undefined;
}

/** A question of our own about a domain or a connection, and the jobs that wait for its answer. */
export interface ProbeState<Waiting> {
  waiting: Waiting[];
  questions: ProbeQuestion[];
  isUnderWay: boolean;
  /** After a question without an answer we ask no sooner. */
  nextAt: number;
  deferralCount: number;
  /** The evidence of the latest answer. */
  stage: EvidenceStage | undefined;
}

export const newProbeState = <Waiting>(): ProbeState<Waiting> => ({
  waiting: [],
  questions: [],
  isUnderWay: false,
  nextAt: 0,
  deferralCount: 0,
  stage: undefined,
});

export const newQuestion = (mailbox: string): ProbeQuestion => ({
  mailbox,
  isAsked: false,
  answer: undefined,
});
