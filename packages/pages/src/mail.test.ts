import { expect, it } from 'vitest';
import { type MailContent, writeMail } from './mail.ts';

const content: MailContent = {
  title: 'Your list <spring> is complete',
  paragraphs: ['One & two'],
  items: [
    { name: '<spring>', url: 'https://assay.test/a?b=1&c=2', facts: [{ name: 'Valid', value: '1,200' }] },
  ],
  facts: [{ name: 'Where', value: '"quoted"' }],
  action: { label: 'See the list', url: 'https://assay.test/list' },
  because: 'You get this mail because you verify lists.',
  unsubscribe: { label: 'Stop these mails', url: 'https://assay.test/stop' },
};

it('says the same in text and in HTML', () => {
  const { text, html } = writeMail(content);
  const said = [
    '1,200',
    'One',
    'See the list',
    'https://assay.test/list',
    'because you verify lists',
    'https://assay.test/stop',
  ];
  for (const words of said) expect([text.includes(words), html.includes(words)], words).toEqual([true, true]);
  expect(text).toContain('Valid: 1,200\nhttps://assay.test/a?b=1&c=2');
});

it('escapes what customers wrote', () => {
  const { html } = writeMail(content);
  expect(html).toContain('Your list &lt;spring&gt; is complete');
  expect(html).toContain('href="https://assay.test/a?b=1&amp;c=2"');
  expect(html).not.toContain('<spring>');
});

it('breaks long names instead of growing, and keeps their writing direction to themselves', () => {
  const { html } = writeMail({ ...content, facts: [{ name: 'From', value: '؟2026' }] });
  expect(html).toContain('overflow-wrap:anywhere');
  expect(html).toContain('<bdi>&lt;spring&gt;</bdi>');
  expect(html).toContain('<bdi>؟2026</bdi>');
});

it('keeps a number on one line where a program drops the sheet, and breaks what is longer', () => {
  const url = `https://shop.example.com/${'a'.repeat(60)}`;
  const { html } = writeMail({ ...content, items: [], facts: [fact('1,000,000'), fact(url)] });
  const [, number, address] = html.split('<tr><th');
  expect(number).toContain('white-space:nowrap');
  expect(address?.split('</table>')[0]).not.toContain('white-space');
});
const fact = (value: string) => ({ name: 'What', value });

it('needs no pictures, scripts or fetched styles, and follows the dark scheme', () => {
  const { html } = writeMail(content);
  expect(html).not.toMatch(/<img|<script|<link|url\(/);
  expect(html).toContain('prefers-color-scheme: dark');
});

/** Relative luminance of WCAG. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

it.each([
  ['#1a1e2b', '#fffefb'],
  ['#585b69', '#fffefb'],
  ['#98481a', '#fbf8f2'],
  ['#fdfaf4', '#1f2536'],
  ['#ece7dd', '#1a1e2a'],
  ['#a9abb6', '#1a1e2a'],
  ['#e69a66', '#12151e'],
  ['#171b27', '#ece7dd'],
])('words in %s on %s are readable', (words, ground) => {
  expect(writeMail(content).html).toContain(words);
  expect(contrast(words, ground)).toBeGreaterThan(4.5);
});
