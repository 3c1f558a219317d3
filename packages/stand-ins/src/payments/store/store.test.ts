import { describe, expect, it } from 'vitest';
import { type SavedRow, Store } from './store.ts';

const order = (id: string, price = 'price_1') => ({ id, items: [{ price }] });

describe('the store', () => {
  it('undoes all of a transaction that fails, order included', async () => {
    const store = await Store.open();
    for (const id of ['a', 'b', 'c']) store.put('order', order(id));
    const failing = () =>
      store.transact(() => {
        store.remove('order', 'a');
        store.put('order', order('b', 'price_2'));
        store.put('order', order('new'));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(store.all('order')).toEqual([order('a'), order('b'), order('c')]);
  });

  it('saves what changed, and again what could not be saved', async () => {
    const saved: SavedRow[][] = [];
    let isBroken = true;
    const store = await Store.open({
      load: async () => [],
      save: async (rows) => {
        if (isBroken) throw new Error('the database is away');
        saved.push(rows);
      },
      close: async () => undefined,
    });
    store.put('order', order('a'));
    await expect(store.saved()).rejects.toThrow('away');
    isBroken = false;
    store.put('order', order('b'));
    await store.saved();
    await store.saved();
    expect(saved.map((rows) => rows.map(({ id }) => id).sort())).toEqual([['a', 'b']]);
  });
});
