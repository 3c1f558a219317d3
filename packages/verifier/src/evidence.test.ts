import { expect, it } from 'vitest';
import { quoteReply } from './evidence.ts';

it.each([
  ['an empty reply', '', '550'],
  ['two lines', 'one\ntwo', '550 one two'],
  ['300 characters', 'x'.repeat(300), `550 ${'x'.repeat(300)}`],
  ['more than 300 characters', 'x'.repeat(301), `550 ${'x'.repeat(300)}…`],
  ['a surrogate pair at the cut', `${'x'.repeat(299)}😀`, `550 ${'x'.repeat(299)}\ufffd…`],
])('%s as evidence', (_, text, quoted) => {
  expect(quoteReply(550, text)).toBe(quoted);
});
