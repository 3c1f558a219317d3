import { describe, expect, it } from 'vitest';
import { elementsWith, renderMarkup } from '../testing/render-markup.tsx';
import { FormErrors } from './form-errors.tsx';
import { ProgressRing } from './progress-ring.tsx';
import { VerdictMark } from './verdict-mark.tsx';
import type { Verdict } from './verdicts.ts';

describe('§2 verdicts are words, not only colours', () => {
  it.each([
    ['VALID', 'Valid'],
    ['INVALID', 'Invalid'],
    ['CATCH_ALL', 'Catch all'],
    ['UNKNOWN', 'Unknown'],
    ['PENDING', 'Pending'],
  ] as const satisfies [Verdict, string][])('%s is %s, beside the mark or as its name', (verdict, word) => {
    expect(renderMarkup(<VerdictMark verdict={verdict} label />).text).toBe(word);
    expect(renderMarkup(<VerdictMark verdict={verdict} />).html).toContain(`aria-label="${word}"`);
  });
  it('every verdict has a shape of its own', () => {
    const shapes = (['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN', 'PENDING'] as const).map(
      (verdict) =>
        /<svg[^>]*>(.*)<\/svg>/.exec(renderMarkup(<VerdictMark verdict={verdict} label />).html)?.[1],
    );
    expect(new Set(shapes).size).toBe(5);
  });
  it("a running verification says 'Verifying...'", () => {
    expect(renderMarkup(<VerdictMark verdict="PENDING" label="Verifying..." />).text).toBe('Verifying...');
  });
});

describe('§2 Bulk tab grid: progress ring in percent', () => {
  it.each([
    [42.4, '42'],
    [-5, '0'],
    [180, '100'],
  ])('%d shows %s percent', (percent, shown) => {
    const { html, text } = renderMarkup(<ProgressRing percent={percent} label="March" />);
    expect(text).toBe(`${shown}%`);
    expect(elementsWith(html, 'role="progressbar"')).toEqual([
      expect.stringContaining(`aria-valuenow="${shown}"`),
    ]);
  });
});

describe('§8 forms show what the server said', () => {
  it('as an alert', () => {
    const { html, text } = renderMarkup(<FormErrors text="bad_request Name required" />);
    expect(text).toBe('bad_request Name required');
    expect(html).toContain('role="alert"');
  });
  it('and nothing when it said nothing', () => {
    expect(renderMarkup(<FormErrors text={null} />).text).toBe('');
  });
});
