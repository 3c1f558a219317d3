import { describe, expect, it } from 'vitest';
import { asyncStateOf } from './async-state.ts';

describe('§4 a data slot moves pending, loading, then complete or failed', () => {
  const idle = { data: undefined, isFetching: false, isError: false };
  it('pending before anybody asked', () => {
    expect(asyncStateOf(idle)).toEqual({ status: 'pending' });
  });
  it('loading while it is fetched', () => {
    expect(asyncStateOf({ ...idle, isFetching: true })).toEqual({ status: 'loading', data: undefined });
  });
  it('complete with its data', () => {
    expect(asyncStateOf({ ...idle, data: 0 })).toEqual({ status: 'complete', data: 0 });
  });
  it('failed when the call was rejected', () => {
    expect(asyncStateOf({ ...idle, isError: true })).toEqual({ status: 'failed', data: undefined });
  });
  it('loading again, the earlier data kept', () => {
    expect(asyncStateOf({ data: 7, isFetching: true, isError: false })).toEqual({
      status: 'loading',
      data: 7,
    });
  });
  it('failed again, the earlier data kept', () => {
    expect(asyncStateOf({ data: 7, isFetching: false, isError: true })).toEqual({
      status: 'failed',
      data: 7,
    });
  });
  it('loading when a failed one is retried', () => {
    expect(asyncStateOf({ ...idle, isFetching: true, isError: true }).status).toBe('loading');
  });
});
