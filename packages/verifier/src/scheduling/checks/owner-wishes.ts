import type { Clock } from '../../clock.ts';
import { dayOf, type OwnerDoors, type OwnerStop, refusalOf } from '../../conduct/owner-doors.ts';
import { noWish, ownerRecordName } from '../../conduct/owner-record.ts';
import { stopForMs } from '../../conduct/stop-request.ts';
import { type EvidenceStage, ownerRule } from '../../evidence.ts';
import type { Job, JobPlace, MailDomain } from '../jobs/job.ts';

interface WishParts {
  readonly doors: OwnerDoors;
  readonly clock: Clock;
  /** The owner does not want this question. */
  decline(job: Job, stage: EvidenceStage): void;
  /** The question cannot be counted now. */
  askLater(job: Job, stage: EvidenceStage): void;
}

interface Held {
  readonly job: Job;
  readonly pool: JobPlace;
}

/** Of an owner who allows some questions a day: what we have taken of them, and who waits for more. */
interface Quota {
  day: number;
  left: number;
  isUsedUp: boolean;
  waiting: Held[] | undefined;
}

/** The last word before questions about a domain are sent: what its owner wants. */
export class OwnerWishes {
  readonly #parts: WishParts;
  /** Jobs that wait until the record of their domain has been read again. */
  readonly #reading = new Map<MailDomain, Held[]>();
  readonly #quotas = new WeakMap<MailDomain, Quota>();

  constructor(parts: WishParts) {
    this.#parts = parts;
  }

  /** Why the owner of a domain is not asked at all; undefined if it may be. */
  refusalOf({ door, name }: MailDomain): EvidenceStage | undefined {
    const note = refusalOf(door, name);
    return note === undefined ? undefined : { stage: 'dns', note, rule: ownerRule };
  }

  /** Those of the questions, which are about one domain, that may be asked now. The others come back or are declined. */
  admit(pool: JobPlace, jobs: Job[]): Job[] {
    const [first] = jobs;
    const { domain } = first as Job;
    const { door } = domain;
    if (door === undefined) return jobs;
    if (door.expiresAt <= this.#parts.clock.now()) {
      for (const job of jobs) this.#readAgain({ job, pool });
      return [];
    }
    if (door.perDay === noWish && door.stop === undefined) {
      if (door.isCounted) this.#parts.doors.noteAsked(domain.name, jobs.length);
      return jobs;
    }
    return this.#admitFew(pool, jobs, door.perDay);
  }

  /** Whether what the owner said when a question was admitted still holds. */
  isCurrent({ door }: MailDomain): boolean {
    return door === undefined || (door.expiresAt > this.#parts.clock.now() && door.stop === undefined);
  }

  /** A host asked us not to ask about this domain again. */
  noteStop(domain: MailDomain, { host, words }: Pick<OwnerStop, 'host' | 'words'>): void {
    const { doors, clock } = this.#parts;
    if (domain.door?.stop !== undefined) return;
    const stop = { until: clock.wallNow() + stopForMs, host, words };
    domain.door = { perDay: noWish, expiresAt: Number.POSITIVE_INFINITY, ...domain.door, stop };
    doors.noteStop(domain.name, stop);
  }

  #admitFew(pool: JobPlace, jobs: readonly Job[], perDay: number): Job[] {
    const { domain } = jobs[0] as Job;
    const refusal = this.refusalOf(domain);
    const today = dayOf(this.#parts.clock.wallNow());
    const known = this.#quotas.get(domain);
    const quota: Quota =
      known?.day === today ? known : { day: today, left: 0, isUsedUp: false, waiting: known?.waiting };
    this.#quotas.set(domain, quota);
    const admitted: Job[] = [];
    for (const job of jobs) {
      if (refusal !== undefined) this.#parts.decline(job, refusal);
      else if (quota.left > 0) {
        quota.left -= 1;
        admitted.push(job);
      } else if (quota.isUsedUp) this.#parts.decline(job, usedUpStage(domain, perDay));
      else if (quota.waiting !== undefined) quota.waiting.push({ job, pool });
      else {
        quota.waiting = [{ job, pool }];
        void this.#takeMore(domain, quota, perDay);
      }
    }
    return admitted;
  }

  async #takeMore(domain: MailDomain, quota: Quota, perDay: number): Promise<void> {
    // The others of the transaction join within this turn.
    await Promise.resolve();
    const wanted = quota.waiting?.length ?? 0;
    const taken = await this.#parts.doors.take(domain.name, perDay, wanted);
    const waiting = quota.waiting ?? [];
    quota.waiting = undefined;
    if (taken === undefined) {
      for (const { job } of waiting) this.#parts.askLater(job, uncountedStage(domain, perDay));
      return;
    }
    quota.left += taken;
    quota.isUsedUp = taken < wanted;
    for (const { job, pool } of waiting) pool.add(job);
  }

  #readAgain(held: Held): void {
    const { domain, client } = held.job;
    const reading = this.#reading.get(domain);
    if (reading !== undefined) {
      reading.push(held);
      return;
    }
    this.#reading.set(domain, [held]);
    void this.#read(domain, client.customer);
  }

  async #read(domain: MailDomain, customer: string): Promise<void> {
    domain.door = await this.#parts.doors.read(domain.name, customer, domain.door);
    const waiting = this.#reading.get(domain) ?? [];
    this.#reading.delete(domain);
    for (const { job, pool } of waiting) pool.add(job);
  }
}

const usedUpStage = ({ name }: MailDomain, perDay: number): EvidenceStage => ({
  stage: 'dns',
  note: `${ownerRecordName(name)} allows ${perDay} questions a day, and they are used up`,
  rule: ownerRule,
});

const uncountedStage = ({ name }: MailDomain, perDay: number): EvidenceStage => ({
  stage: 'dns',
  note: `${ownerRecordName(name)} allows ${perDay} questions a day, and we cannot count them now`,
  rule: ownerRule,
});
