/** Why a workbook cannot be read. */
export type WorkbookProblem =
  | { readonly kind: 'broken' }
  | { readonly kind: 'password' }
  /** A zip file with something else inside. */
  | { readonly kind: 'other'; readonly looksLike: string }
  /** It unpacks to more than we read, or holds more texts than we keep in memory. */
  | { readonly kind: 'too_large' };

export class BadWorkbook extends Error {
  readonly problem: WorkbookProblem;
  constructor(problem: WorkbookProblem, options?: ErrorOptions) {
    super(`The workbook cannot be read: ${problem.kind}.`, options);
    this.problem = problem;
  }
}

export const brokenWorkbook = (cause?: unknown): BadWorkbook =>
  new BadWorkbook({ kind: 'broken' }, { cause });
