import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImportedFile } from './use-bulk-import.ts';
import { findWaitingImport, keepImport, takeImport } from './waiting-import.ts';

const preview = {
  total_credits: 3,
  metrics_with_headers: { billable: 3, non_billable: 0, duplicated: 0 },
  metrics_without_headers: { billable: 3, non_billable: 1, duplicated: 0 },
  upload_id: 'upload-1',
  first_rows: [['email']],
  detected: { sheet: 'One', sheets: ['One', 'Two'] },
};
const file = (name: string, changes: Partial<ImportedFile<typeof preview>> = {}) => ({
  file: new File(['x'], name),
  outcome: { kind: 'valid' as const, preview },
  withHeaders: false,
  isRereading: false,
  isCreated: false,
  ...changes,
});

describe('an import that is short of credits', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('is given back to its page once, without the sheets that only the file holds', () => {
    const failed = { kind: 'failed' as const, message: 'no' };
    keepImport('/email-verification/bulk', [
      file('a.csv'),
      file('bad.csv', { outcome: failed }),
      file('done.csv', { isCreated: true }),
    ]);

    expect(findWaitingImport()).toEqual({ credits: 3, path: '/email-verification/bulk', name: 'a.csv' });
    expect(takeImport('/email-guessing/bulk')).toBeNull();
    const taken = takeImport<typeof preview>('/email-verification/bulk');
    expect(taken?.map((one) => one.file.name)).toEqual(['a.csv']);
    expect(taken?.[0]).toMatchObject({
      withHeaders: false,
      outcome: { preview: { upload_id: 'upload-1', detected: { sheet: 'One', sheets: [] } } },
    });
    expect([takeImport('/email-verification/bulk'), findWaitingImport()]).toEqual([null, null]);
  });

  it('is forgotten when the server has deleted its upload, and when the storage holds something else', () => {
    vi.useFakeTimers();
    keepImport('/email-verification/bulk', [file('a.csv')]);
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(findWaitingImport()).toBeNull();

    sessionStorage.setItem('assay.waiting_import', '{"path":7}');
    expect(findWaitingImport()).toBeNull();
  });
});
