import { describe, expect, it } from 'vitest';
import { elementsWith, renderMarkup } from '../../testing/render-markup.tsx';
import type { AsyncState } from '../async-state.ts';
import { DataGrid } from './data-grid.tsx';
import { DEFAULT_PAGING, type Paging } from './paging.ts';

interface List {
  readonly id: string;
  readonly name: string;
  readonly count: number | null;
}

const march: List = { id: '42', name: 'March', count: 1480 };

interface GridFacts {
  expectedRows?: number;
  rows?: AsyncState<{ results: readonly List[]; total: number }>;
  paging?: Paging;
}

const renderGrid = ({
  rows = { status: 'complete', data: { results: [march], total: 1 } },
  paging = DEFAULT_PAGING,
  ...props
}: GridFacts = {}) =>
  renderMarkup(
    <DataGrid
      name="lists"
      columns={[
        { header: 'File name', cell: ({ name }) => name },
        { header: 'Emails', cell: ({ count }) => count, align: 'end' },
      ]}
      {...props}
      rows={rows}
      rowKey={({ id }) => id}
      paging={paging}
      onPagingChange={() => {}}
      onRetry={() => {}}
      empty="No lists yet"
      rowHref={({ id }) => `/email-verification/bulk/${id}`}
      rowMenu={{ rowName: ({ name }) => name, actions: () => [{ label: 'Rename', onSelect: () => {} }] }}
    />,
  );

describe('§2 grids', () => {
  it('show the columns, the rows, and the sizes 10, 25 and 50 to page by', () => {
    expect(renderGrid().text).toBe(
      'File name Emails Actions March 1480 Rows per page 10 25 50 1–1 of 1 Page 1 of 1',
    );
  });
  it('a row has a link to its detail and a menu of its own', () => {
    const { html } = renderGrid();
    expect(elementsWith(html, 'href="/email-verification/bulk/42"')).toHaveLength(1);
    expect(elementsWith(html, 'aria-label="Actions for March"')).toHaveLength(1);
  });
  it('leave the cell of a missing value empty, for its dash', () => {
    const rows = { status: 'complete', data: { results: [{ ...march, count: null }], total: 1 } } as const;
    expect(renderGrid({ rows }).html).toMatch(/<td data-label="Emails"[^>]*><\/td>/);
  });
  it('say which rows of how many are shown', () => {
    const rows = { status: 'complete', data: { results: [march], total: 1057 } } as const;
    expect(renderGrid({ rows, paging: { page: 3, pageSize: 25 } }).text).toMatch(
      /51–75 of 1,057 Page 3 of 43$/,
    );
  });
  it('on the first page there is no way back, on the last none forward', () => {
    const [previous, next] = elementsWith(renderGrid().html, ' page"').filter((tag) =>
      tag.startsWith('<button'),
    );
    expect(previous).toContain('disabled=""');
    expect(next).toContain('disabled=""');
  });
  it('a page beyond the last, where rows were deleted, still leads back', () => {
    const rows = { status: 'complete', data: { results: [], total: 10 } } as const;
    const { html } = renderGrid({ rows, paging: { page: 2, pageSize: 10 } });
    expect(elementsWith(html, 'aria-label="Previous page"')).toEqual([
      expect.not.stringContaining('disabled=""'),
    ]);
  });
});

describe('§4 grids show where their rows stand', () => {
  it('empty: why, and no table', () => {
    expect(renderGrid({ rows: { status: 'complete', data: { results: [], total: 0 } } }).text).toBe(
      'No lists yet',
    );
  });
  it('loading: the table in outline', () => {
    const { html, text } = renderGrid({ rows: { status: 'loading' } });
    expect(text).toMatch(/^Loading lists File name Emails/);
    expect(html).toContain('aria-busy="true"');
  });
  it('loading: as many rows as are expected', () => {
    const rowsIn = (html: string) => elementsWith(html, '<tr').length - 1;
    expect(rowsIn(renderGrid({ rows: { status: 'loading' } }).html)).toBe(10);
    expect(rowsIn(renderGrid({ rows: { status: 'loading' }, expectedRows: 2 }).html)).toBe(2);
  });
  it('loading again: the rows stay', () => {
    const { html, text } = renderGrid({ rows: { status: 'loading', data: { results: [march], total: 1 } } });
    expect(text).toContain('March 1480');
    expect(html).toContain('aria-busy="true"');
  });
  it('pending: not asked for yet', () => {
    expect(renderGrid({ rows: { status: 'pending' } }).text).toMatch(/^Waiting for lists/);
  });
  it('failed: what, with a way to retry, and no table', () => {
    expect(renderGrid({ rows: { status: 'failed' } }).text).toBe('Lists could not be loaded. Retry');
  });
});
