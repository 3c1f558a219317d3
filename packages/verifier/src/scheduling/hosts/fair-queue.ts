import type { Job, MailDomain } from '../jobs/job.ts';

interface DomainLine {
  domain: MailDomain;
  jobs: Job[];
  /** The jobs before this index are gone; the array is cut from time to time. */
  from: number;
  urgent: Job[];
}

export interface TakeOptions {
  /** The domain that the connection served last, and those that other connections serve. */
  readonly stay?: { readonly domain: MailDomain; readonly served: ReadonlySet<MailDomain> } | undefined;
  readonly min?: number;
  /** How many jobs of this customer may be taken. */
  readonly roomOf?: (customer: string) => number;
}

/**
 * The jobs that wait at one host: customers are served round-robin, and the domains of each as well, so that nobody and no
 * domain delays the others.
 */
export class FairQueue {
  /** In the order of their turns. */
  readonly #customers = new Map<string, CustomerLines>();
  size = 0;

  /** Those who have jobs here, the next one to serve first. */
  customers(): IteratorObject<string> {
    return this.#customers.keys();
  }

  add(job: Job): void {
    const { customer } = job.client;
    let lines = this.#customers.get(customer);
    if (lines === undefined) {
      lines = new CustomerLines();
      this.#customers.set(customer, lines);
    }
    lines.add(job);
    this.size += 1;
  }

  /**
   * Up to `max` jobs of one customer and domain that can share a transaction; empty when nothing waits. To stay with a domain
   * saves a connection some commands. It does so as long as other connections serve all other domains. Domains with less
   * than `min` jobs wait, unless one of the jobs is urgent.
   */
  take(max: number, { stay, min = 1, roomOf }: TakeOptions = {}): Job[] {
    if (max < 1) return [];
    for (const [customer, lines] of [...this.#customers]) {
      const room = Math.min(max, roomOf?.(customer) ?? max);
      if (room < 1) continue;
      if (stay !== undefined) lines.putFirst(stay.domain, stay.served);
      const { taken, goneCount } = lines.take(room, Math.min(min, room));
      this.size -= goneCount;
      if (goneCount > 0) this.#customers.delete(customer);
      if (goneCount > 0 && !lines.isEmpty) this.#customers.set(customer, lines);
      if (taken.length > 0) return taken;
    }
    return [];
  }

  some(isSo: (job: Job) => boolean): boolean {
    return this.#customers.values().some((lines) => lines.jobs().some(isSo));
  }

  removeAll(): Job[] {
    return this.removeWhere(() => true);
  }

  /** Removes the jobs for which the condition holds and returns them. */
  removeWhere(isRemoved: (job: Job) => boolean): Job[] {
    const removed: Job[] = [];
    const kept: Job[] = [];
    for (const lines of this.#customers.values()) {
      for (const job of lines.jobs()) (isRemoved(job) ? removed : kept).push(job);
    }
    this.#customers.clear();
    this.size = 0;
    for (const job of kept) this.add(job);
    return removed;
  }
}

/** The jobs of one customer: a line per domain. */
class CustomerLines {
  readonly #lines = new Map<MailDomain, DomainLine>();
  /** Lines with jobs, the next one to serve first. */
  readonly #turns: DomainLine[] = [];

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  add(job: Job): void {
    let line = this.#lines.get(job.domain);
    if (line === undefined) {
      line = { domain: job.domain, jobs: [], from: 0, urgent: [] };
      this.#lines.set(job.domain, line);
      this.#turns.push(line);
    }
    if (job.probe || job.client.isUrgent) line.urgent.push(job);
    else line.jobs.push(job);
  }

  /** Also drops cancelled jobs: says how many are gone in all. */
  take(max: number, min: number): { taken: Job[]; goneCount: number } {
    let goneCount = 0;
    for (;;) {
      const next = this.#turns.findIndex(
        ({ urgent, jobs, from }) => urgent.length > 0 || jobs.length - from >= min,
      );
      const [line] = next < 0 ? [] : this.#turns.splice(next, 1);
      if (line === undefined) return { taken: [], goneCount };
      const taken: Job[] = [];
      goneCount += takeFrom(line, max, taken);
      if (line.from < line.jobs.length || line.urgent.length > 0) this.#turns.push(line);
      else this.#lines.delete(line.domain);
      if (taken.length > 0) return { taken, goneCount };
    }
  }

  putFirst(domain: MailDomain, served: ReadonlySet<MailDomain>): void {
    const line = this.#lines.get(domain);
    if (line === undefined || this.#turns.some((other) => other !== line && !served.has(other.domain)))
      return;
    this.#turns.splice(this.#turns.indexOf(line), 1);
    this.#turns.unshift(line);
  }

  *jobs(): Generator<Job> {
    for (const { urgent, jobs, from } of this.#turns) {
      yield* urgent;
      for (let index = from; index < jobs.length; index++) yield jobs[index] as Job;
    }
  }
}

/** Moves jobs that can share a transaction, without cancelled ones. Returns how many left the line. */
function takeFrom(line: DomainLine, max: number, taken: Job[]): number {
  let goneCount = 0;
  while (taken.length < max) {
    const job = line.urgent[0] ?? line.jobs[line.from];
    if (job === undefined) break;
    if (taken.length > 0 && (job.needsUtf8 !== taken[0]?.needsUtf8 || taken[0].probe)) break;
    // The proof has a transaction of its own: some hosts refuse any second recipient.
    if (taken.length > 0 && job.probe) break;
    if (line.urgent.length > 0) line.urgent.shift();
    else line.from += 1;
    goneCount += 1;
    if (!job.client.isCancelled) taken.push(job);
  }
  if (line.from >= line.jobs.length || line.from > 4_096) {
    line.jobs = line.jobs.slice(line.from);
    line.from = 0;
  }
  return goneCount;
}
