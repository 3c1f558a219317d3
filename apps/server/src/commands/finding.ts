/** The result of one check of an installation. */
export interface Finding {
  readonly check: string;
  /** `unclear`: we could not find out; `skipped`: it does not apply here. */
  readonly status: 'ok' | 'problem' | 'unclear' | 'skipped';
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

const marks = { ok: 'ok      ', problem: 'PROBLEM ', unclear: 'unclear ', skipped: 'skipped ' } as const;

/** A finding as lines of text, the second with the fix. */
export function describeFinding({ check, status, detail, fix }: Finding): string {
  const advice = fix === undefined || status === 'ok' ? '' : `${' '.repeat(9)}${fix}\n`;
  return `${marks[status]} ${check.padEnd(14)} ${detail}\n${advice}`;
}

export const isProblem = ({ status }: Finding): boolean => status === 'problem';
