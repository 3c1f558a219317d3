import { OUTCOME_FILES, type OutcomeCounts, type OutcomeFile } from '@assay/contract';
import { RefusedFile } from '../../uploads/reading.ts';
import { kindOf, type OutcomeReport } from '../outcome.ts';
import { outcomeWords } from '../outcome-words.ts';
import { reportsPerPage, writePages } from '../reported.ts';

const clippedLength = 60;

/** A part of a text that an answer may repeat. */
export const clipped = (text: string): string =>
  text.length <= clippedLength ? text : `${text.slice(0, clippedLength)}…`;

export type FileSummary = Pick<
  OutcomeFile,
  'total' | 'understood' | 'counts' | 'examples' | 'said_nothing' | 'not_readable' | 'problems'
>;

/** Collects what a file says, and hands its reports on in pages. */
export class FileFindings {
  readonly #write: ((page: Buffer) => Promise<void>) | undefined;
  #page: OutcomeReport[] = [];
  #total = 0;
  #understood = 0;
  #saidNothing = 0;
  #notReadable = 0;
  readonly #counts: OutcomeCounts = { ...noCounts };
  readonly #examples: OutcomeFile['examples'] = [];
  readonly #problems: OutcomeFile['problems'] = [];

  /** Without a way to write, only the summary is wanted. */
  constructor(write: ((page: Buffer) => Promise<void>) | undefined) {
    this.#write = write;
  }

  /** The place of the next row or mail, from 1. Fails if there are too many. */
  next(): number {
    this.#total += 1;
    if (this.#total > OUTCOME_FILES.rowsMax)
      throw new RefusedFile({ problem: 'file_too_many_rows', rowsMax: OUTCOME_FILES.rowsMax });
    return this.#total;
  }

  async add(place: number, report: OutcomeReport): Promise<void> {
    const { email, finding, at } = report;
    const kind = kindOf(finding);
    this.#understood += 1;
    this.#counts[kind] += 1;
    if (this.#examples.length < OUTCOME_FILES.examplesMax)
      this.#examples.push({
        place,
        email,
        kind,
        at: at.toISOString(),
        reason: { code: finding.reason, text: outcomeWords[finding.reason] },
        words: finding.words,
      });
    if (!this.#write) return;
    if (this.#page.push(report) >= reportsPerPage) await this.#flush();
  }

  saidNothing(): void {
    this.#saidNothing += 1;
  }

  refuse(place: number, problem: string): void {
    this.#notReadable += 1;
    if (this.#problems.length < OUTCOME_FILES.problemsNamedMax) this.#problems.push({ place, problem });
  }

  async finish(): Promise<FileSummary> {
    await this.#flush();
    return {
      total: this.#total,
      understood: this.#understood,
      counts: this.#counts,
      examples: this.#examples,
      said_nothing: this.#saidNothing,
      not_readable: this.#notReadable,
      problems: this.#problems,
    };
  }

  async #flush(): Promise<void> {
    if (this.#page.length === 0) return;
    if (this.#write) await writePages(this.#write, this.#page);
    this.#page = [];
  }
}

export const noCounts: OutcomeCounts = {
  hard: 0,
  soft: 0,
  block: 0,
  complaint: 0,
  unsubscribed: 0,
  auto_reply: 0,
  delivered: 0,
  not_sent: 0,
  unclear: 0,
};
