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
    expect(visibleStatuses.map(shownStatus)).toEqual(['PENDING', 'COMPLETE']);
    expect(() => shownStatus('DRAFT')).toThrow('Customers do not see a list that is DRAFT.');
  });

  it('only a pending list is worked on, takes results and holds credits', () => {
    expect([workedOnStatuses, resultStatuses, holdingStatuses]).toEqual([
      ['PENDING'],
      ['PENDING'],
      ['PENDING'],
    ]);
  });

  it('a list is published once, completed once, and deleted from every status before that', () => {
    expect(statusesBefore('DRAFT')).toEqual([]);
    expect(statusesBefore('PENDING')).toEqual(['DRAFT']);
    expect(statusesBefore('COMPLETE')).toEqual(['PENDING']);
    expect(statusesBefore('DELETED')).toEqual(['DRAFT', 'PENDING', 'COMPLETE']);
  });
});
