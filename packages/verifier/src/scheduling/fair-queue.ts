import type { Job, MailDomain } from './job.ts';

interface DomainLine {
  domain: MailDomain;
  jobs: Job[];
  /** Jobs before this one are gone; the array is cut when it is used up. */
  from: number;
  urgent: Job[];
}

/** What waits at one host: a line per domain, served in turn, so that no domain holds up its neighbours. */
export class FairQueue {
  readonly #lines = new Map<MailDomain, DomainLine>();
  /** Lines with something in them, the next to be served first. */
  #turns: DomainLine[] = [];
  size = 0;

  add(job: Job): void {
    let line = this.#lines.get(job.domain);
    if (line === undefined) {
      line = { domain: job.domain, jobs: [], from: 0, urgent: [] };
      this.#lines.set(job.domain, line);
      this.#turns.push(line);
    }
    if (job.isProof || job.client.isUrgent) line.urgent.push(job);
    else line.jobs.push(job);
    this.size += 1;
  }

  /** Up to `max` jobs of one domain that can share a transaction; empty when nothing waits. */
  take(max: number): Job[] {
    if (max < 1) return [];
    for (;;) {
      const line = this.#turns.shift();
      if (line === undefined) return [];
      const taken = this.#takeFrom(line, max);
      if (line.from < line.jobs.length || line.urgent.length > 0) this.#turns.push(line);
      else this.#lines.delete(line.domain);
      if (taken.length > 0) return taken;
    }
  }

  #takeFrom(line: DomainLine, max: number): Job[] {
    const taken: Job[] = [];
    while (taken.length < max) {
      const job = line.urgent[0] ?? line.jobs[line.from];
      if (job === undefined) break;
      if (taken.length > 0 && (job.needsUtf8 !== taken[0]?.needsUtf8 || taken[0].isProof)) break;
      // The proof keeps a transaction to itself: some hosts refuse a second recipient whoever it is.
      if (taken.length > 0 && job.isProof) break;
      if (line.urgent.length > 0) line.urgent.shift();
      else line.from += 1;
      this.size -= 1;
      if (!job.client.isCancelled) taken.push(job);
    }
    if (line.from >= line.jobs.length || line.from > 4_096) {
      line.jobs = line.jobs.slice(line.from);
      line.from = 0;
    }
    return taken;
  }

  /** Takes out everything, or everything of the cancelled. */
  drain(isWanted: (job: Job) => boolean = () => true): Job[] {
    const drained: Job[] = [];
    const kept: Job[] = [];
    for (const line of this.#turns) {
      for (const job of line.urgent) (isWanted(job) ? drained : kept).push(job);
      for (let index = line.from; index < line.jobs.length; index++) {
        const job = line.jobs[index] as Job;
        (isWanted(job) ? drained : kept).push(job);
      }
    }
    this.#lines.clear();
    this.#turns = [];
    this.size = 0;
    for (const job of kept) this.add(job);
    return drained;
  }
}
