import type { GuessPreview } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { BulkCostPanel } from '../../../shared/bulk-import/bulk-cost-panel.tsx';
import { renderMarkup } from '../../../shared/testing/render-markup.tsx';
import { peopleWords } from './people-words.ts';

const preview: GuessPreview = {
  total_credits: 12,
  metrics: { billable: 12, non_billable: 2, duplicated: 1 },
  metrics_with_headers: { billable: 12, non_billable: 2, duplicated: 1 },
  metrics_without_headers: { billable: 12, non_billable: 3, duplicated: 1 },
  upload_id: '0190c3f0-0000-7000-8000-000000000000',
  detected: {
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ';',
    columns: [
      { field: 'full_name', column: 'Name', number: 1 },
      { field: 'domain', column: 'Website', number: 2 },
    ],
    has_header_row: true,
    rows: 15,
  },
  first_rows: [['Name', 'Website']],
  excluded: [],
};

describe('the offer for a file of people', () => {
  it('says who is guessed, who is left out and why, and what it costs at most', () => {
    const { text } = renderMarkup(
      <BulkCostPanel
        fileName="people.csv"
        preview={preview}
        words={peopleWords}
        balance={10}
        withHeaders={true}
        onWithHeadersChange={() => {}}
        onNameChange={() => {}}
        onChoose={() => {}}
      />,
    );

    expect(text).toContain('You will be charged up to 12 credits .');
    expect(text).toContain('People without a clear answer are not counted.');
    expect(text).toContain('People to guess 12');
    expect(text).toContain('Excluded people 1 duplicated, 2 without a usable name or company domain 3');
    expect(text).toContain('separated by semicolons, names in column “Name”, domains in column “Website”.');
  });

  it('warns where the headers box goes against what the first row holds', () => {
    const headless = { ...preview, detected: { ...preview.detected, has_header_row: false } };

    expect(peopleWords.headerWarning(preview, true)).toBeNull();
    expect(peopleWords.headerWarning(preview, false)).toBe('The first row looks like headers.');
    expect(peopleWords.headerWarning(headless, true)).toContain('not be guessed');
    expect(peopleWords.detected(headless)).toContain('names in column Name');
  });
});
