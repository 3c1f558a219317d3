import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countedOutcome, type VitestReport, vitestOutcome } from './outcome.ts';

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

describe('countedOutcome', () => {
  it('reads the sum in the last line', () => {
    expect(countedOutcome(ended(0, 'round 3 is good', '3 passed, 0 failed'))).toEqual({
      passed: 3,
      failed: 0,
      failures: [],
    });
    expect(countedOutcome(ended(1, 'round 2 lost a row', '2 passed, 1 failed'))).toEqual({
      passed: 2,
      failed: 1,
      failures: ['ended with 1\nround 2 lost a row\n2 passed, 1 failed'],
    });
  });

  it.each([
    ['without a sum', ended(0, 'good bye')],
    ['without a check', ended(0, '0 passed, 0 failed')],
    ['with an error after its sum', ended(1, '3 passed, 0 failed')],
  ])('counts a run %s as failed', (_, run) => {
    expect(countedOutcome(run)).toMatchObject({ failed: 1, failures: [expect.any(String)] });
  });
});
