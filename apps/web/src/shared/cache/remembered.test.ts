import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import { createLocalCache } from './local-cache.ts';
import { createRemembered, type Remembered } from './remembered.ts';

const walletSchema = z.object({ balance: z.number() });
let storage: Storage;
let subject: string | undefined;
let remembered: Remembered;

beforeEach(() => {
  storage = createMemoryStorage();
  subject = 'ada';
  remembered = createRemembered(
    createLocalCache(storage, () => new Date()),
    () => subject,
  );
});

it('recalls what the server last said', () => {
  expect(remembered.keep('wallet', { balance: 7 })).toEqual({ balance: 7 });
  remembered.keep('user', { id: 1 });

  expect(remembered.recall('wallet', walletSchema)).toEqual({ balance: 7 });
});

it('tells one person nothing of another, nor of anyone when signed out', () => {
  remembered.keep('wallet', { balance: 7 });

  subject = 'grace';
  expect(remembered.recall('wallet', walletSchema)).toBeUndefined();
  subject = undefined;
  expect(remembered.recall('wallet', walletSchema)).toBeUndefined();
});

it('keeps nothing while signed out', () => {
  subject = undefined;
  remembered.keep('wallet', { balance: 7 });

  expect(storage.length).toBe(0);
});

it('recalls nothing of another shape', () => {
  remembered.keep('wallet', { credits: 7 });

  expect(remembered.recall('wallet', walletSchema)).toBeUndefined();
});

it('leaves nothing behind when told to forget', () => {
  remembered.keep('wallet', { balance: 7 });

  remembered.forget();

  expect(storage.length).toBe(0);
});
