import { verdictReasonSchema } from '@assay/contract';
import { reasons } from '@assay/verifier';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { reasonAnswer } from './reason-words.ts';

it('the API describes every reason of the engine', () => {
  const { properties } = z.toJSONSchema(verdictReasonSchema);
  expect(properties?.code).toMatchObject({ type: 'string', examples: Object.keys(reasons) });
});

it('a reason has its sentence, and one that this version does not know shows its code', () => {
  expect(reasonAnswer('refuses_everyone')?.text).toMatch(/postmaster/);
  expect(reasonAnswer('of_another_version')).toEqual({
    code: 'of_another_version',
    text: 'of_another_version',
  });
  expect(reasonAnswer(null)).toBeNull();
});
