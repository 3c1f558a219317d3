import type { Conduct } from '../conduct.ts';
import type { DomainPlan, HostPlan, LimitKind, Wording, WordingKind, Zone } from '../zone/plan.ts';
import type { Agenda } from './agenda.ts';
import { Greylist } from './greylist.ts';
import { domainsServedBy, judgeRecipient, type Opinion } from './mailboxes.ts';

/** What every host of a world shares. */
export interface World {
  zone: Zone;
  conduct: Conduct;
  agenda: Agenda;
  replyDelayMs: number;
  maxConnectionsPerHost: number;
}

const limitReplies: Record<LimitKind, string> = {
  connections: '421 4.7.0 {host} Error: too many connections from {peer}',
  'recipients-per-transaction': '452 4.5.3 Error: too many recipients',
  'recipients-per-connection': '421 4.7.0 {host} Too many recipients in this session, try again later',
  'recipients-per-period': '450 4.7.0 <{rcpt}>: Recipient address rejected: rate limit exceeded',
  transactions: '421 4.7.0 {host} Too many messages in this session, try again later',
  unknown: '550 5.7.1 Too many invalid recipients',
};

/** A host while the world runs: its plan, and what it remembers from one connection to the next. */
export class Host {
  readonly plan: HostPlan;
  readonly world: World;
  connectionCount = 0;
  readonly #greylist: Greylist | undefined;
  readonly #wording: Wording | undefined;
  readonly #domains: Map<string, DomainPlan>;
  #period = { startMs: Number.NEGATIVE_INFINITY, recipientCount: 0 };

  constructor(plan: HostPlan, world: World) {
    this.plan = plan;
    this.world = world;
    this.#greylist = plan.greylistMs === undefined ? undefined : new Greylist(plan.greylistMs);
    this.#domains = domainsServedBy(world.zone, plan);
    this.#wording = world.zone.wordings.get(plan.wording);
  }

  get hasTooManyConnections(): boolean {
    const planned = this.plan.limits.connections?.count ?? Number.POSITIVE_INFINITY;
    return this.connectionCount > Math.min(planned, this.world.maxConnectionsPerHost);
  }

  /** The reply when a limit is passed, or undefined while it is not. */
  limitReply(kind: LimitKind, count: number): string | undefined {
    const limit = this.plan.limits[kind];
    return limit && count > limit.count ? this.overLimitReply(kind) : undefined;
  }

  overLimitReply(kind: LimitKind): string {
    return this.plan.limits[kind]?.say ?? limitReplies[kind];
  }

  /** Counts a recipient against the host's pace, and says whether it is beyond it. */
  isBeyondPace(nowMs: number): boolean {
    const limit = this.plan.limits['recipients-per-period'];
    if (!limit) return false;
    if (nowMs - this.#period.startMs >= limit.periodMs) this.#period = { startMs: nowMs, recipientCount: 0 };
    this.#period.recipientCount += 1;
    return this.#period.recipientCount > limit.count;
  }

  greylistWaitMs(attempt: { peer: string; sender: string; recipient: string }): number {
    return this.#greylist?.waitMs(attempt, this.world.agenda.now()) ?? 0;
  }

  judge(recipient: string): Opinion {
    return judgeRecipient(this.#domains, recipient);
  }

  word(kind: WordingKind, wordingName?: string): string {
    const wording = wordingName === undefined ? this.#wording : this.world.zone.wordings.get(wordingName);
    return wording?.[kind] ?? '';
  }
}
