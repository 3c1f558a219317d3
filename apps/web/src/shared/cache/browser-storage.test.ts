import { expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import { createSafeStorage } from './browser-storage.ts';

it('keeps what it is given, until that is removed', () => {
  const memory = createMemoryStorage();
  const storage = createSafeStorage(() => memory);

  storage.setItem('page', '2');
  expect([storage.getItem('page'), memory.getItem('page')]).toEqual(['2', '2']);
  storage.removeItem('page');
  expect(storage.getItem('page')).toBeNull();
  storage.setItem('page', '3');
  storage.clear();
  expect(memory.length).toBe(0);
});

it('throws nothing when the browser forbids it', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = createSafeStorage(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });

  storage.setItem('page', '2');
  storage.removeItem('page');
  storage.clear();

  expect(storage.getItem('page')).toBeNull();
  expect(warn).toHaveBeenCalled();
  warn.mockRestore();
});
