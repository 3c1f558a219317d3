import { describe, expect, it } from 'vitest';
import { highlight } from './highlight.ts';

const marked = (kind: string, text: string) => `<span class="code-${kind}">${text}</span>`;

describe('highlight', () => {
  it.each([
    [
      'json',
      '{"a": "b", "c": [1.5, null]}',
      [
        marked('name', '&quot;a&quot;'),
        marked('string', '&quot;b&quot;'),
        marked('number', '1.5'),
        marked('keyword', 'null'),
      ],
    ],
    [
      'ts',
      "const a = await b.c({ d: 'it\\'s' }); // e",
      [
        marked('keyword', 'await'),
        marked('name', 'c'),
        marked('name', 'd'),
        marked('string', '&#39;it\\&#39;s&#39;'),
        marked('comment', '// e'),
      ],
    ],
    [
      'python',
      'with f(a=1) as b:  # c',
      [marked('keyword', 'with'), marked('name', 'f'), marked('number', '1'), marked('comment', '# c')],
    ],
    [
      'sh',
      'curl -s "a b" \\\n  -d \'{"c": "#d"}\'',
      [
        marked('keyword', 'curl'),
        marked('name', '-s'),
        marked('string', '&quot;a b&quot;'),
        marked('string', '&#39;{&quot;c&quot;: &quot;#d&quot;}&#39;'),
      ],
    ],
  ])('marks the parts of %s', (language, code, parts) => {
    const html = highlight(code, language);

    for (const part of parts) expect(html).toContain(part);
  });

  it('keeps every character, and escapes those of HTML', () => {
    const code = 'if (a < b && "<script>") { c(`d`); }\n\n  // <end>';
    const text = highlight(code, 'ts').replaceAll(/<[^<>]*>/g, '');

    expect(
      text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    ).toBe(code);
    expect(highlight('<b>', 'output')).toBe('&lt;b&gt;');
  });
});
