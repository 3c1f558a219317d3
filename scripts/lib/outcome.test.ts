import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type VitestReport, vitestOutcome } from './outcome.ts';

const file = (results: Partial<NonNullable<VitestReport['testResults']>[number]>) => ({
  name: resolve('apps/some.test.ts'),
  status: 'passed',
  message: '',
  assertionResults: [],
  ...results,
});

const ended = (code: number, ...lastLines: string[]) => ({ code, lastLines });

describe('vitestOutcome', () => {
  it('names what failed, with the reason', () => {
    const assertionResults = [
      { fullName: 'a sum adds up', status: 'passed', failureMessages: [] },
      { fullName: 'a sum is kept', status: 'failed', failureMessages: ['expected 1 to be 2'] },
    ];
    const report = { numPassedTests: 1, numFailedTests: 1, testResults: [file({ assertionResults })] };

    expect(vitestOutcome(report, ended(1))).toEqual({
      passed: 1,
      failed: 1,
      failures: ['apps/some.test.ts > a sum is kept\nexpected 1 to be 2'],
    });
  });

  it('counts a run of passed tests as failed when a file did not load or an error came between them', () => {
    const passed = { numPassedTests: 3, numFailedTests: 0 };
    const unloaded = { ...passed, testResults: [file({ status: 'failed', message: 'Cannot find module' })] };

    expect(vitestOutcome(unloaded, ended(1))).toEqual({
      passed: 3,
      failed: 1,
      failures: ['apps/some.test.ts\nCannot find module'],
    });
    expect(vitestOutcome(passed, ended(1, 'Unhandled error: the socket broke'))).toEqual({
      passed: 3,
      failed: 1,
      failures: ['vitest ended with 1, and no test had failed\nUnhandled error: the socket broke'],
    });
    expect(vitestOutcome(passed, ended(0))).toEqual({ passed: 3, failed: 0, failures: [] });
  });

  it('counts no test at all, and no report, as failed', () => {
    expect(vitestOutcome({ numPassedTests: 0, numFailedTests: 0 }, ended(0))).toMatchObject({ failed: 1 });
    expect(vitestOutcome({}, ended(1))).toMatchObject({ passed: 0, failed: 1 });
  });
});
