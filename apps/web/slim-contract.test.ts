import { routes } from '@assay/contract';
import { expect, it } from 'vitest';
import { markSchemasPure, withoutSchemas } from './slim-contract.ts';

it('keeps every call, with what the client sends, and no schema', () => {
  const slim = withoutSchemas(routes.validations);

  expect(Object.keys(slim)).toEqual(Object.keys(routes.validations));
  expect(JSON.parse(JSON.stringify(slim.startSingle))).toEqual({
    method: 'POST',
    path: '/validations/email_validation',
    auth: 'user_or_key',
    takesIdempotencyKey: true,
  });
  expect(JSON.stringify(slim)).not.toMatch(/"(?:success|query|body|params|summary)":/);
});

it('marks every construction of a schema as without effect, and nothing else', () => {
  expect(markSchemasPure('z.object({ a: z.string().check(z.minLength(1)) })')).toBe(
    '/* @__PURE__ */ z.object({ a: /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.minLength(1)) })',
  );
  expect(markSchemasPure('z.iso.datetime(), z\n  .array(a)')).toBe(
    '/* @__PURE__ */ z.iso.datetime(), /* @__PURE__ */ z\n  .array(a)',
  );
  expect(markSchemasPure('fizz.buzz(1), other.z.string()')).toBe('fizz.buzz(1), other.z.string()');
});
