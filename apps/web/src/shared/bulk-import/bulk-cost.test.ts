import { describe, expect, it } from 'vitest';
import { bulkCostOf } from './bulk-cost.ts';

const previewOf = (total_credits: number, non_billable = 0, duplicated = 0) => ({
  total_credits,
  metrics: { billable: total_credits, non_billable, duplicated },
});

describe('§2 Bulk confirmation dialog: the cost', () => {
  it('excluded emails are non_billable plus duplicated; the charge is up to total_credits', () => {
    expect(bulkCostOf(previewOf(1_900, 40, 60), 2_000)).toEqual({
      credits: 1_900,
      excluded: 100,
      shortCredits: 0,
      canConfirm: true,
    });
  });

  it('the whole balance may be spent', () => {
    expect(bulkCostOf(previewOf(500), 500)).toMatchObject({ shortCredits: 0, canConfirm: true });
  });

  it('§5 confirm is blocked if total_credits exceeds the balance, and by how much is said', () => {
    expect(bulkCostOf(previewOf(501), 500)).toMatchObject({ shortCredits: 1, canConfirm: false });
  });

  it('§5 confirm is blocked if total_credits is 0, and nothing is short', () => {
    expect(bulkCostOf(previewOf(0, 3), 500)).toMatchObject({ shortCredits: 0, canConfirm: false });
  });
});
