import { describe, expect, it } from 'vitest';
import { type Persistence, type SavedRow, Store } from './store.ts';

const card = (id: string) => ({ id, onSetup: null, onCharge: null });
const due = (id: string, nextAttemptAt: number) => ({
  id,
  event: 'e',
  endpoint: 'w',
  attempts: 0,
  nextAttemptAt,
});

const openStore = (persistence?: Persistence) =>
  Store.open({
    dueRule: (kind, value) =>
      kind === 'delivery' ? (value as ReturnType<typeof due>).nextAttemptAt : undefined,
    persistence,
  });

describe('the store', () => {
  it('undoes all of a transaction that fails, order included', async () => {
    const store = await openStore();
    for (const id of ['a', 'b', 'c']) store.put('card', card(id));
    store.put('delivery', due('d', 5));
    const failing = () =>
      store.transact(() => {
        store.remove('card', 'a');
        store.put('card', { ...card('b'), onCharge: { code: 'card_declined', message: 'no' } });
        store.put('card', card('new'));
        store.put('delivery', due('d', 1));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(store.all('card')).toEqual([card('a'), card('b'), card('c')]);
    expect(store.oldest('card')).toEqual(card('a'));
    expect(store.nextDue(() => true)?.dueAt).toBe(5);
  });

  it('finds the row that is due first, and the older of two at the same moment', async () => {
    const store = await openStore();
    store.put('delivery', due('late', 9));
    store.put('delivery', due('first', 3));
    store.put('delivery', due('second', 3));
    expect(store.nextDue(() => true)?.id).toBe('first');
    store.remove('delivery', 'first');
    expect(store.nextDue(() => true)?.id).toBe('second');
    expect(store.nextDue((kind) => kind !== 'delivery')).toBeUndefined();
  });

  it('saves what changed, and again what could not be saved', async () => {
    const saved: SavedRow[][] = [];
    let isBroken = true;
    const store = await openStore({
      load: async () => [],
      save: async (rows) => {
        if (isBroken) throw new Error('the database is away');
        saved.push(rows);
      },
      close: async () => undefined,
    });
    store.put('card', card('a'));
    await expect(store.saved()).rejects.toThrow('away');
    isBroken = false;
    store.put('card', card('b'));
    await store.saved();
    await store.saved();
    expect(saved.map((rows) => rows.map(({ id }) => id).sort())).toEqual([['a', 'b']]);
  });
});
