import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import { describeIssue } from './describe-issue.ts';

/** What is said of the one field of a call. */
function toldOf(schema: z.ZodMiniType, value: unknown): string | undefined {
  const call = z.strictObject({ field: schema });
  return safeParse(call, { field: value }, { error: (issue) => describeIssue(issue, 'field') }).error
    ?.issues[0]?.message;
}

it.each<[string, z.ZodMiniType, unknown, string]>([
  ['a missing value', z.string(), undefined, 'field is required.'],
  ['a number for a text', z.string(), 7, 'field must be text.'],
  ['a text for a number', z.number(), 'x', 'field must be a number.'],
  ['a text for a switch', z.boolean(), 'x', 'field must be true or false.'],
  ['an object for a list', z.array(z.string()), {}, 'field must be a list.'],
  ['a list for an object', z.object({}), [], 'field must be an object.'],
  ['a fraction', z.int(), 1.5, 'field must be a whole number.'],
  ['a number below the least', z.number().check(z.minimum(1)), 0, 'field must be 1 or more.'],
  ['a number above the most', z.number().check(z.maximum(100)), 101, 'field must be 100 or less.'],
  ['a number at an open bound', z.number().check(z.gt(0)), 0, 'field must be more than 0.'],
  ['a text that is too short', z.string().check(z.minLength(1)), '', 'field must have at least 1 character.'],
  [
    'a text that is too long',
    z.string().check(z.maxLength(3)),
    'four',
    'field must have at most 3 characters.',
  ],
  [
    'a list that is too short',
    z.array(z.string()).check(z.minLength(2)),
    [],
    'field must have at least 2 entries.',
  ],
  [
    'a list that is too long',
    z.array(z.string()).check(z.maxLength(1)),
    ['a', 'b'],
    'field must have at most 1 entry.',
  ],
  ['no choice of several', z.enum(['DAY', 'MONTH']), 'YEAR', 'field must be one of DAY, MONTH.'],
  ['another constant', z.literal('GOOGLE'), 'x', 'field must be GOOGLE.'],
  ['no email address', z.email(), 'x', 'field must be an email address, such as jane@example.com.'],
  ['no id', z.uuid(), 'x', 'field must be an id, such as 3f2c8f6e-0c9b-4d3e-9a52-1c8f2b7d6e10.'],
  ['no web address', z.url(), 'x', 'field must be a web address, such as https://example.com/path.'],
  [
    'no date',
    z.iso.datetime({ offset: true }),
    'x',
    'field must be a date and time with offset, such as 2027-01-31T09:00:00Z.',
  ],
  [
    'another form',
    z.string().check(z.regex(/^a$/)),
    'b',
    'field must be in the form that the API reference shows.',
  ],
  [
    'none of several types',
    z.union([z.boolean(), z.number()]),
    'x',
    'field must be true or false or a number.',
  ],
  ['no switch of a query', z.union([z.boolean(), z.stringbool()]), 'x', 'field must be true or false.'],
  ['no multiple', z.number().check(z.multipleOf(5)), 7, 'field must be a multiple of 5.'],
  [
    'what a rule refuses',
    z.string().check(z.refine(() => false)),
    'x',
    'field is not accepted. See the API reference for what it may be.',
  ],
])('%s', (_, schema, value, sentence) => {
  expect(toldOf(schema, value)).toBe(sentence);
});

it('never speaks the validator’s language', () => {
  const words = z.strictObject({ field: z.number() });
  const result = safeParse(
    words,
    { field: 1, other: 2 },
    { error: (issue) => describeIssue(issue, 'other') },
  );

  expect(result.error?.issues[0]?.message).toBe('other is not a field of this call. Leave it out.');
});
