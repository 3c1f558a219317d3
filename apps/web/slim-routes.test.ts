import { routes } from '@assay/contract';
import { expect, it } from 'vitest';
import { withoutSchemas } from './slim-routes.ts';

const slim = withoutSchemas(routes);

it('keeps every call of the contract', () => {
  const namesOf = (tree: Readonly<Record<string, object>>) =>
    Object.entries(tree).map(([feature, calls]) => [feature, Object.keys(calls)]);

  expect(namesOf(slim)).toEqual(namesOf(routes));
});

it('keeps what the client sends, and no schema', () => {
  expect(JSON.parse(JSON.stringify(slim.validations?.startSingle))).toEqual({
    method: 'POST',
    path: '/validations/email_validation',
    auth: 'user_or_key',
    takesIdempotencyKey: true,
  });
  expect(JSON.stringify(slim)).not.toMatch(/"(?:success|query|body|params|summary)":/);
});
