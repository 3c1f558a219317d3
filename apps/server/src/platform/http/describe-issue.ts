import type { $ZodIssue, $ZodRawIssue } from 'zod/v4/core';

type Issue = $ZodIssue | $ZodRawIssue;

/**
 * What is wrong with a field, as a sentence that says what to change. Used where the contract has no words of its own;
 * the validator's are for programmers. Tells nothing of what the caller sent.
 */
export function describeIssue(issue: Issue, field: string): string {
  const subject = field || 'The request';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${subject} is not a field of this call. Leave it out.`;
    case 'invalid_type':
      return issue.input === undefined
        ? `${subject} is required.`
        : `${subject} must be ${named(issue.expected)}.`;
    case 'too_small':
      return `${subject} must ${atLeast(issue)}.`;
    case 'too_big':
      return `${subject} must ${atMost(issue)}.`;
    case 'invalid_value':
      return `${subject} must be ${oneOf(issue)}.`;
    case 'invalid_format':
      return `${subject} must be ${formats[issue.format] ?? 'in the form that the API reference shows'}.`;
    case 'not_multiple_of':
      return `${subject} must be a multiple of ${issue.divisor}.`;
    case 'invalid_union':
      return `${subject} must be ${describeUnion(issue.errors ?? [])}.`;
    case 'invalid_key':
    case 'invalid_element':
      return `${subject} has an entry that is not accepted. Check each of them.`;
    default:
      return `${subject} is not accepted. See the API reference for what it may be.`;
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
  file: 'a file',
};
const named = (type: string): string => types[type] ?? 'of another type';

const formats: Readonly<Record<string, string>> = {
  email: 'an email address, such as jane@example.com',
  url: 'a web address, such as https://example.com/path',
  uuid: 'an id, such as 3f2c8f6e-0c9b-4d3e-9a52-1c8f2b7d6e10',
  datetime: 'a date and time with offset, such as 2027-01-31T09:00:00Z',
  date: 'a date, such as 2027-01-31',
};

interface Bound {
  readonly origin?: string;
  readonly inclusive?: boolean | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

function atLeast({ origin, inclusive = true, minimum }: Bound): string {
  const unit = unitOf(origin, minimum);
  if (unit) return `have at least ${minimum} ${unit}`;
  return inclusive ? `be ${minimum} or more` : `be more than ${minimum}`;
}

function atMost({ origin, inclusive = true, maximum }: Bound): string {
  const unit = unitOf(origin, maximum);
  if (unit) return `have at most ${maximum} ${unit}`;
  return inclusive ? `be ${maximum} or less` : `be less than ${maximum}`;
}

/** What is counted; nothing for a number, which is compared itself. */
function unitOf(origin: string | undefined, count: unknown): string | null {
  if (origin === 'string') return count === 1 ? 'character' : 'characters';
  return origin === 'array' || origin === 'set' ? (count === 1 ? 'entry' : 'entries') : null;
}

function oneOf({ values, expected }: { values: readonly unknown[]; expected?: unknown }): string {
  // A boolean in a query also accepts 1, on and others, which the message leaves out.
  if (expected === 'stringbool') return named('boolean');
  const words = values.map(String);
  return words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`;
}

/** The choices, as far as each can be named by its type or its values. */
function describeUnion(branches: readonly (readonly Issue[])[]): string {
  const choices = branches.flatMap(([first]) => {
    if (first?.code === 'invalid_type') return [named(first.expected)];
    if (first?.code === 'invalid_value') return [oneOf(first)];
    return [];
  });
  return [...new Set(choices)].join(' or ') || 'one of what the API reference shows';
}
