import { expect, it } from 'vitest';
import { type AccountId, openerOf, ownAccountOf, type UserId } from './ids.ts';

it('the compiler refuses the id of a person where that of an account is meant, and the other way round', () => {
  const readAccount = (id: AccountId) => id;
  const readPerson = (id: UserId) => id;
  const person: UserId = 'ada';

  // @ts-expect-error It is the id of a person.
  readAccount(person);
  // @ts-expect-error It is the id of an account.
  readPerson(ownAccountOf(person));
  expect(readPerson(openerOf(readAccount(ownAccountOf(person))))).toBe(person);
});
