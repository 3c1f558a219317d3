import type { Governor } from '../../conduct/governor.ts';
import type { ProviderGate } from '../../conduct/provider-gate.ts';
import type { EvidenceStage } from '../../evidence.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import type { Reason } from '../../judgement/reasons.ts';
import type { Agenda } from '../jobs/agenda.ts';
import type { Job, JobPlace, JobSession, MailDomain } from '../jobs/job.ts';
import type { FairQueue } from './fair-queue.ts';
import type { ConnectionServices, HostConnections } from './host-connections.ts';
import type { HostManners, MannersLimits } from './host-manners.ts';
import type { MailPlace } from './host-permits.ts';
import type { HostProgress } from './host-progress.ts';
import type { Provider } from './providers.ts';

/** Why a host got no chance to answer: our proxy or address is away, or our connections are in use. */
export type UnaskedCause = 'egress-away' | 'no-free-connection';

/** The engine, which decides what happens to a job. */
export interface PoolOwner {
  /** Those of the questions, about one domain, that its owner lets us ask now. The owner of the pool decides about the others. */
  admit(pool: JobPlace, jobs: Job[]): Job[];
  /** Whether the owner of the domain, who let us ask a while ago, still does. */
  mayStillAsk(job: Job): boolean;
  /** A host asked us not to ask about the domain of this job again. */
  onOwnerStops(job: Job, stop: { readonly host: string; readonly words: string }): void;
  onAccepted(pool: JobPlace, job: Job, session: JobSession, code: number, text: string): void;
  onReply(pool: JobPlace, job: Job, found: ReplyClass, stage: EvidenceStage, session: JobSession): void;
  /** All answers of one read have been reported. */
  onRead(): void;
  /** All recipients of a transaction, which are of this domain, have an answer. */
  onTransactionOver(session: JobSession, domain: MailDomain): void;
  onConnectionGone(session: JobSession): void;
  /** Whether more addresses arrive within this turn or the next ones. */
  isMoreComing(): boolean;
  /** The host cannot take such a name at all. */
  onNameUnsupported(job: Job, session: JobSession): void;
  /** The host does not answer; the job goes on to the next host, if there is one. */
  onHostFailed(job: Job, reason: Reason, stage: EvidenceStage): void;
  /** The host is given up because it stays silent. */
  onHostSilent(host: string): void;
  /** The host got no chance to answer, for a cause that is ours. That says nothing about the host, so the job comes back to it later. */
  deferUnasked(pool: JobPlace, job: Job, cause: UnaskedCause, stage: EvidenceStage): void;
  /** The host rests until then. Returns whether the job stays in its queue. */
  waitsUntil(job: Job, time: number, isRepeated: boolean): boolean;
  /** The host rests and the job does not wait for it. */
  onHeldOff(job: Job, found: ReplyClass, afterMs: number, stage: EvidenceStage): void;
}

/** What other pools see of a pool. */
export interface NeighbourPool {
  readonly place: MailPlace;
  readonly connectionCount: number;
  pumpSoon(): void;
}

/** The pools of the other hosts, with which a pool shares permits. */
export interface PoolNeighbours {
  /** This pool has to wait for permits, or no longer has to. */
  onShortOfPermits(pool: NeighbourPool, isShort: boolean): void;
  /** Whether another pool waits for its first connection. */
  isCrowded(pool: NeighbourPool): boolean;
  /** Whether to keep an idle connection for a moment. */
  mayRest(pool: NeighbourPool): boolean;
  onConnectionGone(): void;
  /** This pool does not ask about a few addresses yet, because more arrive. */
  onHeldBack(pool: NeighbourPool): void;
  /** All hosts of this provider rest. */
  onProviderRests(provider: string, rest: HostPause): void;
}

/** Why a host rests, and until when. */
export interface HostPause {
  readonly until: number;
  readonly found: ReplyClass;
  readonly stage: EvidenceStage;
}

export interface PoolServices extends ConnectionServices {
  agenda: Agenda;
  governor: Governor;
  owner: PoolOwner;
  neighbours: PoolNeighbours;
  /** The sender and the HELO name that we give. */
  ourNames: readonly string[];
  limits: ConnectionServices['limits'] & MannersLimits;
}

/** The parts of one pool that work together. */
export interface PoolParts {
  readonly name: string;
  readonly place: MailPlace;
  readonly provider: Provider;
  readonly gate: ProviderGate;
  readonly services: PoolServices;
  readonly queue: FairQueue;
  readonly manners: HostManners;
  readonly connections: HostConnections;
  readonly progress: HostProgress;
}
