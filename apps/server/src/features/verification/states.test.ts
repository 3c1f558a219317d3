import type { SingleValidation, ValidationList } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { productOfFile } from '../../testing/product.ts';

const { api } = await productOfFile();

/** The numbers of attempts that deferred jobs carry. */
const attemptsOfJob = async (key: 'validationId' | 'listId', id: string): Promise<number[]> =>
  (
    await api.database.pool.query(
      "select data -> 'attempts' as attempts from queue.job where name like '%deferred%' and data ->> $1 = $2",
      [key, id],
    )
  ).rows.map(({ attempts }) => attempts);

// The host of greylist-5m.test puts every address off for five minutes, so that what is under way can be looked at.
describe('§4 States', () => {
  it('§4 Single validation: PENDING, IN_PROGRESS, then a result', async () => {
    const token = await api.tokenFor();
    const path = '/validations/email_validation';
    const start = async (email_address: string) =>
      (await api.call('POST', path, { token, body: { email_address } })).json<SingleValidation>();
    const stateOf = async ({ id }: SingleValidation) => {
      const single = (await api.call('GET', `${path}/${id}`, { token })).json<SingleValidation>();
      return [single.status, single.email_address_status];
    };

    const putOff = await start('jane@greylist-5m.test');
    expect([putOff.status, putOff.email_address_status]).toEqual(['PENDING', null]);
    await expect.poll(() => stateOf(putOff)).toEqual(['IN_PROGRESS', null]);
    await expect.poll(() => attemptsOfJob('validationId', putOff.id)).toEqual([1]);

    const quick = await start('nobody@exists.test');
    await expect.poll(() => stateOf(quick)).toEqual(['COMPLETE', 'INVALID']);
  });

  it('§4 List status: PENDING while one address has no result, then COMPLETE', async () => {
    const token = await api.tokenFor();
    const create = async (name: string, emails: string[]) =>
      (
        await api.call('POST', '/validations/lists', { token, body: { name, emails } })
      ).json<ValidationList>();
    const stateOf = async ({ id }: ValidationList) => {
      const list = (await api.call('GET', `/validations/lists/${id}`, { token })).json<ValidationList>();
      return [list.status, list.progress];
    };

    const heldUp = await create('Held up', ['jane@exists.test', 'jane@greylist-5m.test']);
    expect([heldUp.status, heldUp.progress]).toEqual(['PENDING', 0]);
    await expect.poll(() => stateOf(heldUp)).toEqual(['PENDING', 50]);
    await expect.poll(() => attemptsOfJob('listId', heldUp.id)).toEqual([1]);

    const quick = await create('Quick', ['jane@exists.test', 'nobody@exists.test']);
    await expect.poll(() => stateOf(quick)).toEqual(['COMPLETE', 100]);
  });
});
