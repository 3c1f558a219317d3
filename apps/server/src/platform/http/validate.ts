import type { FastifySchemaCompiler } from 'fastify';
import { type $ZodIssue, type $ZodRawIssue, type $ZodType, type output, safeParse } from 'zod/v4/core';
import { AppError } from '../errors/index.ts';
import { shortenAndBlank } from '../logging/blank-personal-data.ts';
import { TEXT_LENGTH_MAX } from '../text-limits.ts';
import { describeIssue } from './describe-issue.ts';
import { findUnstorableText } from './storable-text.ts';

/** A list can be wrong in each of its entries. So many are named; the count says how many there are. */
const problemsNamedMax = 20;

/** Parses a part of the request with its schema of the contract; a refusal names every field that must change. */
export const validatorCompiler: FastifySchemaCompiler<$ZodType> =
  ({ schema }) =>
  (data) =>
    check(schema, data);

/** The same for what a handler reads itself, such as the parts of an upload. */
export function requireValid<Schema extends $ZodType>(schema: Schema, data: unknown): output<Schema> {
  const checked = check(schema, data);
  if ('error' in checked) throw checked.error;
  return checked.value;
}

function check<Schema extends $ZodType>(
  schema: Schema,
  data: unknown,
): { value: output<Schema> } | { error: AppError } {
  // A route that takes a body is sometimes called without one; a missing object is then an empty one, whose missing
  // fields are named, instead of "expected object".
  const result = safeParse(schema, data ?? {}, { error: describe });
  if (!result.success)
    return {
      error: refusalOf(
        result.error.issues.map((issue) => ({ field: fieldOf(issue), message: issue.message })),
      ),
    };
  const unstorable = findUnstorableText(result.data);
  return unstorable === null ? { value: result.data } : { error: unstorableText(unstorable) };
}

const unstorableText = (field: string): AppError =>
  new AppError(
    'invalid_request',
    { fields: [field] },
    { text: `${field} holds a character that cannot be stored. Take it out and try again.`, meta: { field } },
  );

/** Refuses a request, and names what must change. */
export function refusalOf(found: readonly { readonly field: string; readonly message: string }[]): AppError {
  const problems = found.slice(0, problemsNamedMax);
  const [first = { field: '', message: '' }] = problems;
  return new AppError(
    'invalid_request',
    { fields: problems.map(({ field }) => field), problemCount: found.length },
    { text: first.message, meta: { field: first.field, problems, problem_count: found.length } },
  );
}

const describe = (issue: $ZodRawIssue): string =>
  describeIssue(issue, fieldOf(issue as Pick<$ZodIssue, 'path'> & $ZodRawIssue));

function fieldOf(issue: { path?: PropertyKey[]; code?: string; keys?: unknown }): string {
  const path = (issue.path ?? []).map(String);
  // The caller made this name up. We send it back and log it, so it must be short and contain no key or address.
  const unknown =
    issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)
      ? [shortenAndBlank(String(issue.keys[0]), TEXT_LENGTH_MAX.fieldName)]
      : [];
  return [...path, ...unknown].join('.');
}
