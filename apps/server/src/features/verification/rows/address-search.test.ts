import { expect, it } from 'vitest';
import type { Db } from '../../../platform/database/database.ts';
import { AddressSearch } from './address-search.ts';

it('searches of a customer run one after the other, those of another beside them; 429 when too many wait', async () => {
  const addresses = new AddressSearch({} as Db);
  const begun: string[] = [];
  const end = Promise.withResolvers<void>();
  const search = (ownerId: string) =>
    addresses.inTurn(ownerId, async () => {
      begun.push(ownerId);
      await end.promise;
    });
  const waiting = Array.from({ length: 21 }, () => search('busy'));
  const other = search('other');
  await expect(search('busy')).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'You are making too many searches at once. Wait for one of them, then try again.',
  });
  expect(begun).toEqual(['busy', 'other']);
  end.resolve();
  await Promise.all([...waiting, other]);
  expect(begun).toHaveLength(22);
});
