import { describe, expect, it } from 'vitest';
import { bulkCostOf } from './bulk-cost.ts';

const previewOf = (total_credits: number, non_billable = 0, duplicated = 0) => ({
  total_credits,
  metrics_with_headers: { billable: total_credits, non_billable, duplicated },
  metrics_without_headers: { billable: total_credits, non_billable: non_billable + 1, duplicated },
});

describe('§2 Bulk confirmation dialog: the cost', () => {
  it('excluded emails are non_billable plus duplicated; the charge is up to total_credits', () => {
    expect(bulkCostOf(previewOf(1_900, 40, 60), 2_000, true)).toEqual({
      credits: 1_900,
      billable: 1_900,
      excluded: 100,
      shortCredits: 0,
      canConfirm: true,
    });
  });

  it('verified and excluded counts, and the charge, follow the headers checkbox', () => {
    const headless = {
      total_credits: 3,
      metrics_with_headers: { billable: 2, non_billable: 0, duplicated: 1 },
      metrics_without_headers: { billable: 3, non_billable: 0, duplicated: 1 },
    };

    expect(bulkCostOf(headless, 10, true)).toMatchObject({ credits: 2, billable: 2 });
    expect(bulkCostOf(headless, 10, false)).toMatchObject({ credits: 3, billable: 3 });
    expect(bulkCostOf(previewOf(2, 1), 10, false)).toMatchObject({ excluded: 2 });
    // A list of the sandbox is free.
    expect(bulkCostOf({ ...headless, total_credits: 0 }, 10, true)).toMatchObject({ credits: 0 });
  });

  it('confirm is blocked where the only email would be taken for the header', () => {
    const alone = {
      total_credits: 1,
      metrics_with_headers: { billable: 0, non_billable: 0, duplicated: 0 },
      metrics_without_headers: { billable: 1, non_billable: 0, duplicated: 0 },
    };

    expect(bulkCostOf(alone, 10, true).canConfirm).toBe(false);
    expect(bulkCostOf(alone, 10, false).canConfirm).toBe(true);
  });

  it('the whole balance may be spent', () => {
    expect(bulkCostOf(previewOf(500), 500, true)).toMatchObject({ shortCredits: 0, canConfirm: true });
  });

  it('§5 confirm is blocked if total_credits exceeds the balance, and by how much is said', () => {
    expect(bulkCostOf(previewOf(501), 500, true)).toMatchObject({ shortCredits: 1, canConfirm: false });
  });

  it('confirm is blocked until the balance is known, and nothing is called short', () => {
    expect(bulkCostOf(previewOf(501), undefined, true)).toMatchObject({
      credits: 501,
      shortCredits: 0,
      canConfirm: false,
    });
  });

  it('§5 confirm is blocked if total_credits is 0, and nothing is short', () => {
    expect(bulkCostOf(previewOf(0, 3), 500, true)).toMatchObject({ shortCredits: 0, canConfirm: false });
  });
});
