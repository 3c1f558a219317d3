import { relative } from 'node:path';

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, a few lines each. */
  readonly failures: readonly string[];
}

/** How a program ended, and the last lines that it printed. */
export interface Ended {
  readonly code: number;
  readonly lastLines: readonly string[];
}

/** The part of vitest's JSON report that we read. */
export interface VitestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The outcome of a program whose last line is its sum, such as `12 passed, 0 failed`. */
export function countedOutcome({ code, lastLines }: Ended): Outcome {
  const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed$/.exec(lastLines.at(-1) ?? '') ?? [];
  const isGood = code === 0 && Number(passed) > 0 && failed === '0';
  if (isGood) return { passed: Number(passed), failed: 0, failures: [] };
  // A run can fail without a failed check: it has no sum, checked nothing, or ended with an error after its sum.
  const failures = [`ended with ${code}\n${lastLines.join('\n')}`];
  return { passed: Number(passed), failed: Math.max(1, Number(failed)), failures };
}

export function vitestOutcome(report: VitestReport, { code, lastLines }: Ended): Outcome {
  const passed = report.numPassedTests ?? 0;
  const failed = report.numFailedTests ?? 0;
  const failures = failuresOf(report);
  if (failed > 0 || (code === 0 && passed > 0)) return { passed, failed, failures };
  // A run can fail without a failing test: a file that does not load, an error between tests, no test at all.
  const unnamed = `vitest ended with ${code}, and no test had failed\n${lastLines.join('\n')}`;
  return { passed, failed: 1, failures: failures.length > 0 ? failures : [unnamed] };
}

/** Tests that failed, and files that did not load. */
function failuresOf({ testResults = [] }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${file}\n${message}`] : [];
    return failed.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}\n${failureMessages.join('\n')}`,
    );
  });
}
