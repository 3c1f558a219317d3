import { describe, expect, it } from 'vitest';
import { deletionWords } from './deletion-words.ts';

const complete = { status: 'COMPLETE', run_state: null, preparation: null, charged_credits: 50 } as const;
const running = { status: 'PENDING', run_state: 'running', preparation: null, charged_credits: 7 } as const;
const preparing = {
  status: 'PENDING',
  run_state: 'preparing',
  preparation: { copied_rows: 1, total_rows: 2, problem: null },
  charged_credits: 0,
} as const;
const failed = { ...preparing, run_state: 'failed' } as const;

describe('what deleting lists charges', () => {
  it('says nothing for complete lists, which are paid', () => {
    expect(deletionWords([complete, complete])).toBeNull();
  });

  it('names what stays charged of a list that runs', () => {
    expect(deletionWords([running])).toBe(
      'It still runs. Results so far stay charged (7 credits), and the credits for the rest come back.',
    );
  });

  it('says that a list without rows was charged nothing, and nothing for one that failed', () => {
    expect(deletionWords([preparing])).toBe(
      'Its rows are still being copied. Nothing was charged, and its credits come back.',
    );
    expect(deletionWords([{ ...preparing, run_state: 'paused' }])).toBe(deletionWords([preparing]));
    expect(deletionWords([failed])).toBeNull();
  });

  it('counts those that run among several', () => {
    expect(deletionWords([running, complete, running])).toBe(
      '2 of them still run. Results so far stay charged (14 credits), and the credits for the rest come back.',
    );
  });
});
