import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../shared/testing/memory-storage.ts';
import { storedProvider, storeProvider } from './stored-provider.ts';

beforeEach(() => vi.stubGlobal('sessionStorage', createMemoryStorage()));
afterEach(() => vi.unstubAllGlobals());

it('§3 the chosen provider is stored as warmup_oauth_provider', () => {
  storeProvider('MICROSOFT');

  expect(sessionStorage.getItem('warmup_oauth_provider')).toBe('MICROSOFT');
  expect(storedProvider()).toBe('MICROSOFT');
});

it('§7 the stored provider is google by default', () => {
  expect(storedProvider()).toBe('GOOGLE');
  sessionStorage.setItem('warmup_oauth_provider', 'yahoo');
  expect(storedProvider()).toBe('GOOGLE');
});
