import { parseAddress, type RefusedAddress } from './address/parse-address.ts';
import type { EvidenceStage } from './evidence.ts';
import type { ReplyClass } from './judgement/classify-reply.ts';
import {
  type CatchAllKnowledge,
  judgeAccepted,
  judgeFailures,
  judgeRefused,
  type RefusalKnowledge,
} from './judgement/judge.ts';
import type { Reason } from './judgement/reasons.ts';
import { type Client, Job, type MailDomain } from './scheduling/jobs/job.ts';

/** What the engine does for a check. Every step ends with a verdict or calls `takeNextStep` when it has learned more. */
export interface CheckSteps {
  /** The domain, with what our lists know about it: disposable, free provider. */
  domainOf(name: string): MailDomain;
  refuse(client: Client, item: unknown, address: RefusedAddress): void;
  findRoute(job: Job): void;
  /** Why the owner of the job's domain is not asked; undefined if it may be. */
  ownerRefusal(job: Job): EvidenceStage | undefined;
  decline(job: Job, stage: EvidenceStage): void;
  askHost(job: Job, host: string): void;
  askLater(job: Job, answer: ReplyClass): void;
  catchAllOf(job: Job): CatchAllKnowledge;
  proveCatchAll(job: Job): void;
  refusalOf(job: Job, refusal: ReplyClass): RefusalKnowledge;
  controlRefusal(job: Job): void;
  settle(job: Job, reason: Reason): void;
}

/** Our own name server is away. That says nothing about the domain, so the address comes back later. */
export const resolverAway: ReplyClass = {
  meaning: 'ask_later',
  reason: 'dns_timeout',
  rule: 'resolver-away',
};

/** Checks an address: its syntax here, all the rest in `takeNextStep`. */
export function startCheck(email: string, client: Client, item: unknown, steps: CheckSteps): void {
  const address = parseAddress(email);
  if (!address.ok) steps.refuse(client, item, address);
  else takeNextStep(new Job(address, client, steps.domainOf(address.domain), item), steps);
}

/**
 * The story of a check from address to verdict. A check has no thread of its own: thousands are under way, and most wait
 * for DNS or a mail host. Whenever something new is known, this function decides what comes next.
 */
export function takeNextStep(job: Job, steps: CheckSteps): void {
  if (job.client.isCancelled) return;
  if (!job.isRouted) steps.findRoute(job);
  else if (job.answer === undefined) askNextHost(job, steps);
  else judgeAnswer(job, job.answer, steps);
}

/** Where does the domain's mail go, does its owner let us ask, and which of its hosts has not failed yet? */
function askNextHost(job: Job, steps: CheckSteps): void {
  const { route } = job.domain;
  if (route === undefined) steps.findRoute(job);
  else if (route.kind !== 'hosts' && route.isResolverAway) steps.askLater(job, resolverAway);
  else if (route.kind !== 'hosts') steps.settle(job, route.kind);
  else {
    const host = route.hosts[job.hostRank];
    const refusal = steps.ownerRefusal(job);
    if (refusal !== undefined) steps.decline(job, refusal);
    else if (host === undefined) steps.settle(job, judgeFailures(job.failures, route));
    else steps.askHost(job, host);
  }
}

/** What does the host say about the mailbox? */
function judgeAnswer(job: Job, answer: ReplyClass, steps: CheckSteps): void {
  if (answer.meaning === 'ask_later') steps.askLater(job, answer);
  else if (answer.meaning === 'accepted') judgeYes(job, steps);
  else if (answer.meaning === 'refused') judgeNo(job, answer, steps);
  else steps.settle(job, answer.reason);
}

/** If the host accepts any name, its yes proves nothing. */
function judgeYes(job: Job, steps: CheckSteps): void {
  const catchAll = steps.catchAllOf(job);
  if (catchAll === 'unproved') steps.proveCatchAll(job);
  else steps.settle(job, judgeAccepted(catchAll));
}

/** If the host refuses everyone, its no proves nothing. */
function judgeNo(job: Job, refusal: ReplyClass, steps: CheckSteps): void {
  const knowledge = steps.refusalOf(job, refusal);
  if (knowledge === 'unproved') steps.controlRefusal(job);
  else steps.settle(job, judgeRefused(refusal, knowledge));
}
