import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { isListId } from './list-id.ts';

it.each([
  randomUUID(),
  randomUUID().toUpperCase(),
  '11111111-1111-1111-1111-111111111111',
  '0192f0c1-7a5b-7cde-8f00-000000000001',
  '0192f0c1-7a5b-9cde-8f00-000000000001',
  'not-an-id',
  '',
])('agrees with the server about %j', (text) => {
  expect(isListId(text)).toBe(z.uuid().safeParse(text).success);
});
