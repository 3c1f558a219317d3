import { OUTCOME_VERBS } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { findOwnColumns } from './own-columns.ts';

describe('the columns that an earlier export added', () => {
  it('are found by their names, order and values, beside columns of the customer with the same names', () => {
    const head = ['result', 'reason', 'email', 'result', 'reason'];
    const rows = [
      ['won', 'price', 'a@b.test', 'VALID', 'mailbox_accepted'],
      ['lost'],
      ['', '', 'c@d.test', '', ''],
    ];

    expect(findOwnColumns(head, rows)).toEqual([3, 4]);
  });

  it('have an outcome behind them, unless some cell there is none of ours', () => {
    const head = ['email', 'result', 'reason', 'flags', 'mx_provider', 'suggestion', 'outcome'];
    const row = (outcome: string) => ['a@b.test', 'VALID', 'mailbox_accepted', '', 'b.test', '', outcome];
    const own = [1, 2, 3, 4, 5];

    expect(findOwnColumns(head, [row('bounced 2026-11-20: no such mailbox'), row('')])).toEqual([...own, 6]);
    expect(findOwnColumns(head, [row('delivered 2026-11-20'), row('won')])).toEqual(own);
  });

  it.each(Object.values(OUTCOME_VERBS))('have an outcome that begins with %s', (verb) => {
    const head = ['result', 'reason', 'flags', 'mx_provider', 'suggestion', 'outcome'];
    const row = ['VALID', 'mailbox_accepted', '', 'b.test', '', `${verb} 2026-11-20`];
    expect(findOwnColumns(head, [row])).toHaveLength(head.length);
  });

  it('are searched only as far as each row goes, even below a very long header', () => {
    let readCount = 0;
    const countReads: ProxyHandler<string[]> = {
      get: (row, key) => {
        readCount += 1;
        return Reflect.get(row, key);
      },
    };
    const head = Array.from({ length: 1_000 }, () => ['result', 'reason']).flat();
    const rows = Array.from({ length: 100 }, () => new Proxy(['VALID', 'mailbox_accepted'], countReads));

    expect(findOwnColumns(head, rows)).toEqual([0, 1]);
    expect(readCount).toBeLessThan(1_000);
  });

  it('are read once each, however many a row has', () => {
    let readCount = 0;
    const countReads: ProxyHandler<string[]> = {
      get: (row, key) => {
        readCount += 1;
        return Reflect.get(row, key);
      },
    };
    const many = (cells: string[]) => Array.from({ length: 500 }, () => cells).flat();
    const head = many(['result', 'reason', 'flags', 'mx_provider', 'suggestion']);
    const row = new Proxy(many(['VALID', 'mailbox_accepted', 'role', '', '']), countReads);

    expect(findOwnColumns(head, [row])).toHaveLength(head.length);
    expect(readCount).toBeLessThan(10 * head.length);
  });
});
