import { expect, it } from 'vitest';
import { isCut, quoteReply } from './evidence.ts';

it.each([
  ['an empty reply', '', '550'],
  ['two lines', 'one\ntwo', '550 one\ntwo'],
  ['1,000 characters', 'x'.repeat(1_000), `550 ${'x'.repeat(1_000)}`],
  ['more than 1,000 characters', 'x'.repeat(1_001), `550 ${'x'.repeat(1_000)}…`],
  ['a surrogate pair at the cut', `${'x'.repeat(999)}😀`, `550 ${'x'.repeat(999)}\ufffd…`],
])('%s as evidence', (_, text, quoted) => {
  expect(quoteReply(550, text)).toBe(quoted);
});

it.each([
  ['one of 1,000 characters that end in an ellipsis', `${'x'.repeat(996)}…`, false],
  ['one of 1,001 characters', 'x'.repeat(1_001), true],
])('%s: cut is %s', (_, text, expected) => {
  expect(isCut(quoteReply(550, text))).toBe(expected);
});
