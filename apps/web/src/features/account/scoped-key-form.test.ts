import { newScopedKeySchema, type ScopedKey, scopedKeyChangesSchema } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { changesOf, emptyKeyForm, formOfKey, keyFormSchema, keyOfForm } from './scoped-key-form.ts';

const key: ScopedKey = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Shop',
  mode: 'live',
  scopes: ['verify'],
  monthly_credit_limit: 500,
  month_credits: 0,
  allowed_networks: ['203.0.113.0/24', '2001:db8::/32'],
  expiration_date: '2027-01-31T08:30:00.000Z',
  masked_token: 'assay_live_…abcd',
  previous_token_until: null,
  creation_date: '2026-11-01T00:00:00.000Z',
  last_used_date: null,
};

describe('the form of a scoped key', () => {
  it('becomes what the API takes', () => {
    const filled = {
      ...emptyKeyForm,
      name: 'Shop',
      limit: '500',
      networks: '203.0.113.7\n 10.0.0.0/8, ::1 ',
    };

    const sent = keyOfForm(keyFormSchema.parse(filled));

    expect(newScopedKeySchema.parse(sent)).toEqual({
      name: 'Shop',
      mode: 'live',
      scopes: ['verify', 'read_results'],
      monthly_credit_limit: 500,
      allowed_networks: ['203.0.113.7', '10.0.0.0/8', '::1'],
      expiration_date: null,
    });
  });

  it('means the whole last day', () => {
    const { expiration_date } = keyOfForm({ ...emptyKeyForm, lastDay: '2027-03-05' });

    expect(new Date(expiration_date ?? '').getTime()).toBe(new Date(2027, 2, 6).getTime() - 1);
  });

  it('sends only what was changed', () => {
    expect(changesOf(formOfKey(key), key)).toEqual({});
    const changes = changesOf({ ...formOfKey(key), limit: '', scopes: ['verify', 'guess'] }, key);
    expect(scopedKeyChangesSchema.parse(changes)).toEqual({
      monthly_credit_limit: null,
      scopes: ['verify', 'guess'],
    });
  });

  it('leaves guessing out of a test key', () => {
    expect(keyOfForm({ ...emptyKeyForm, mode: 'test', scopes: ['verify', 'guess'] }).scopes).toEqual([
      'verify',
    ]);
  });

  it.each([
    ['limit', '0'],
    ['limit', '1.5'],
    ['limit', '-1'],
    ['limit', '1000000001'],
    ['networks', '10.0.0.0/33'],
    ['networks', 'example.com'],
    ['networks', '10.0.0.1 '.repeat(21)],
    ['name', ' '],
  ])('refuses %s "%s"', (field, text) => {
    const { error } = keyFormSchema.safeParse({ ...emptyKeyForm, name: 'Shop', [field]: text });

    expect(error?.issues[0]?.path).toEqual([field]);
  });
});
