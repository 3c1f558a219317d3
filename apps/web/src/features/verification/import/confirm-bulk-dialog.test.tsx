import type { ListPreview } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { BulkCostPanel } from '../../../shared/bulk-import/bulk-cost-panel.tsx';
import { RefusedFile } from '../../../shared/bulk-import/refused-file.tsx';
import { Shortage } from '../../../shared/bulk-import/shortage.tsx';
import { elementsWith, renderMarkup } from '../../../shared/testing/render-markup.tsx';
import { verificationWords } from './verification-words.ts';

function buildPreview(credits: number, some: Partial<ListPreview['metrics']> = {}): ListPreview {
  const metrics = { billable: credits, non_billable: 0, duplicated: 0, no_email: 0, suppressed: 0, ...some };
  return {
    total_credits: credits,
    metrics,
    metrics_with_headers: metrics,
    metrics_without_headers: { ...metrics, non_billable: metrics.non_billable + 1 },
    name: 'spring',
    upload_id: '0190c3f0-0000-7000-8000-000000000000',
    detected: {
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ';',
      email_column: 'Mail',
      email_column_number: 1,
      email_columns: ['Mail'],
      has_header_row: true,
      skipped_rows: 0,
      broken_quotes: { rows: 0, first: [] },
      rows: credits,
    },
    first_rows: [['Mail', 'Name']],
    excluded: [],
  };
}

const renderPanel = (preview: ListPreview, balance: number | undefined, withHeaders = true) =>
  renderMarkup(
    <BulkCostPanel
      fileName="spring.csv"
      preview={preview}
      words={verificationWords}
      balance={balance}
      withHeaders={withHeaders}
      onWithHeadersChange={() => {}}
      onNameChange={() => {}}
      onChoose={() => {}}
    />,
  );

describe('§2 Bulk confirmation dialog, with a valid preview', () => {
  it('shows the cost: up to total_credits, excluded emails, unknown emails not counted', () => {
    const { text } = renderPanel(buildPreview(1_842, { non_billable: 58, duplicated: 1_000 }), 3_000);

    expect(text).toContain('You will be charged up to 1,842 credits .');
    expect(text).toContain('Unknown emails are not counted.');
    expect(text).toContain('Excluded emails 1,000 duplicated, 58 not well-formed 1,058');
    expect(text).toContain('Your balance 3,000');
    expect(text).toContain('Balance after at least 1,158');
    expect(text).not.toContain('short');
  });

  it('tells empty cells from malformed emails', () => {
    const { text } = renderPanel(buildPreview(2, { non_billable: 5, no_email: 3 }), 10);

    expect(text).toContain('Excluded emails 2 not well-formed, 3 without an email 5');
  });

  it('shows suppressed emails as an exclusion of their own', () => {
    const { text } = renderPanel(buildPreview(2, { non_billable: 5, no_email: 1, suppressed: 3 }), 10);

    expect(text).toContain('Excluded emails 1 not well-formed, 1 without an email, 3 suppressed 5');
  });

  it('names both columns where two hold emails, before anything is paid', () => {
    const preview = buildPreview(2);
    const { text } = renderPanel(
      { ...preview, detected: { ...preview.detected, email_columns: ['Mail', 'Work'] } },
      10,
    );

    expect(text).toContain('Only those in column “Mail” are verified.');
  });

  it('says quietly what was detected', () => {
    const { text } = renderPanel(buildPreview(2), 10);

    expect(text).toContain('Read as UTF-8, separated by semicolons, emails in column “Mail”.');
  });

  it.each([
    [1, "You're 1 credit short. Buy credits"],
    [2_000, "You're 2,000 credits short. Buy credits"],
    [0, ''],
  ])('%i credits short: %s', (credits, words) => {
    const { text } = renderMarkup(<Shortage credits={credits} onBuyCredits={() => {}} />);

    expect(text.trim()).toBe(words);
  });

  it('with nothing to verify says so', () => {
    const { text } = renderPanel(buildPreview(0, { non_billable: 4 }), 0);

    expect(text).toContain('There is no email in this file that can be verified.');
  });

  it("the checkbox 'This CSV file includes headers' shows its value", () => {
    const ticked = renderPanel(buildPreview(2), 10, true);
    const cleared = renderPanel(buildPreview(2), 10, false);

    expect(ticked.text).toContain('This CSV file includes headers');
    expect(elementsWith(ticked.html, 'type="checkbox"')[0]).toContain('checked=""');
    expect(elementsWith(cleared.html, 'type="checkbox"')[0]).not.toContain('checked=""');
  });
});

describe('§2 Bulk confirmation dialog, without a valid preview', () => {
  it("shows the error message, 'This file is not valid.' and 'Download sample file'", () => {
    const { html, text } = renderMarkup(
      <RefusedFile
        fileName="empty.csv"
        message="The file is empty."
        sampleFile={verificationWords.sampleFile}
      />,
    );

    expect(text).toContain('This file is not valid. The file is empty. Download sample file');
    expect(elementsWith(html, 'download=""')[0]).toContain('href="/sample-emails.csv"');
  });
});
