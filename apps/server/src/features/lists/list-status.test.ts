import { describe, expect, it } from 'vitest';
import {
  holdingStatuses,
  resultStatuses,
  shownStatus,
  statusesBefore,
  visibleStatuses,
  workedOnStatuses,
} from './list-status.ts';

describe('the statuses of a list', () => {
  it('§4 States: customers see a list as PENDING, then COMPLETE, and never a draft or a deleted one', () => {
    expect([...new Set(visibleStatuses.map(shownStatus))]).toEqual(['PENDING', 'COMPLETE']);
    expect(() => shownStatus('DRAFT')).toThrow('Customers do not see a list that is DRAFT.');
  });

  it('only a pending list is worked on; a paused one and one that is being finished still take results, and those and one without rows hold credits', () => {
    expect(workedOnStatuses).toEqual(['PENDING']);
    expect(resultStatuses).toEqual(['PENDING', 'PAUSED', 'FINISHING']);
    expect(holdingStatuses).toEqual(['PREPARING', ...resultStatuses]);
  });

  it('a list is published once, completed once, and deleted from every status before that; finishing cannot be undone', () => {
    expect(statusesBefore('DRAFT')).toEqual([]);
    expect(statusesBefore('PREPARING')).toEqual([]);
    expect(statusesBefore('FAILED')).toEqual(['PREPARING']);
    expect(statusesBefore('PENDING')).toEqual(['PREPARING', 'PAUSED']);
    expect(statusesBefore('PAUSED')).toEqual(['PREPARING', 'PENDING']);
    expect(statusesBefore('FINISHING')).toEqual(['PENDING', 'PAUSED']);
    expect(statusesBefore('COMPLETE')).toEqual(['PENDING', 'PAUSED', 'FINISHING']);
    expect(statusesBefore('DELETED')).toEqual([
      'DRAFT',
      'PREPARING',
      'FAILED',
      'PENDING',
      'PAUSED',
      'FINISHING',
      'COMPLETE',
    ]);
  });
});
