import type { User, Wallet } from '@assay/contract';
import { beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import { createLocalCache } from './local-cache.ts';
import { createRemembered, type Remembered } from './remembered.ts';

const wallet = { balance: 7 } as Wallet;
let storage: Storage;
let subject: string | undefined;
let remembered: Remembered;

beforeEach(() => {
  storage = createMemoryStorage();
  subject = 'ada';
  remembered = openedBy('first build');
});

const openedBy = (build: string): Remembered =>
  createRemembered({ cache: createLocalCache(storage, () => new Date()), subject: () => subject, build });

it('recalls what the server last said', () => {
  expect(remembered.keep('wallet', wallet)).toEqual(wallet);
  remembered.keep('user', { id: 'ada' } as User);

  expect(remembered.recall('wallet')).toEqual(wallet);
});

it('tells one person nothing of another, nor of anyone when signed out', () => {
  remembered.keep('wallet', wallet);

  subject = 'grace';
  expect(remembered.recall('wallet')).toBeUndefined();
  subject = undefined;
  expect(remembered.recall('wallet')).toBeUndefined();
});

it('keeps nothing while signed out', () => {
  subject = undefined;
  remembered.keep('wallet', wallet);

  expect(storage.length).toBe(0);
});

it('recalls nothing that another build kept, because it may have another shape', () => {
  remembered.keep('wallet', wallet);

  expect(openedBy('second build').recall('wallet')).toBeUndefined();
  openedBy('second build').keep('user', { id: 'ada' } as User);
  expect(openedBy('second build').recall('wallet')).toBeUndefined();
});

it('leaves nothing behind when told to forget', () => {
  remembered.keep('wallet', wallet);

  remembered.forget();

  expect(storage.length).toBe(0);
});
