/** Why a row is not verified. */
type ExclusionReason = 'duplicated' | 'malformed' | 'no_email' | 'suppressed';

/** A row that is not verified and costs nothing. */
export interface ExcludedRow {
  /** Counts from 1. */
  readonly row: number;
  /** What is in the email cell. */
  readonly email: string;
  readonly reason: ExclusionReason;
}

const examplesMax = 5;
const emailLengthMax = 100;

/** The first excluded rows of each reason. */
export class ExclusionExamples {
  readonly #rows: ExcludedRow[] = [];
  readonly #counts = { duplicated: 0, malformed: 0, no_email: 0, suppressed: 0 };

  readonly add = ({ row, email, reason }: ExcludedRow): void => {
    if (this.#counts[reason] === examplesMax) return;
    this.#counts[reason] += 1;
    this.#rows.push({ row, email: email.slice(0, emailLengthMax), reason });
  };

  /** With the rows above the table counted. */
  inFile(skippedRows: number): ExcludedRow[] {
    return this.#rows.map((excluded) => ({ ...excluded, row: excluded.row + skippedRows }));
  }
}
