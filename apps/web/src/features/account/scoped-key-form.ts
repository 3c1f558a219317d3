import {
  isNetwork,
  KEY_SCOPES,
  type KeyScope,
  keyModeSchema,
  needsLiveKey,
  newScopedKeySchema,
  SCOPED_KEYS,
  type ScopedKey,
} from '@assay/contract';
import * as z from 'zod/mini';
import { formatCredits } from '../../shared/format/counts.ts';

/** The fields as a person fills them in. */
export const keyFormSchema = z.object({
  name: newScopedKeySchema.shape.name,
  mode: keyModeSchema,
  scopes: z.array(z.enum(KEY_SCOPES)),
  limit: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || isLimit(text),
      `Enter a whole number from 1 to ${formatCredits(SCOPED_KEYS.creditLimitMax)}, or nothing`,
    ),
  ),
  networks: z.string().check(
    z.refine(
      (text) => linesOf(text).length <= SCOPED_KEYS.networksMax,
      `Enter no more than ${SCOPED_KEYS.networksMax} networks`,
    ),
    z.refine(
      (text) => linesOf(text).every(isNetwork),
      'Enter an IP address or a network such as 203.0.113.0/24 on each line',
    ),
  ),
  /** A day such as 2026-11-05, or nothing. */
  lastDay: z.string(),
});
export type KeyForm = z.output<typeof keyFormSchema>;

const isLimit = (text: string): boolean =>
  /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= SCOPED_KEYS.creditLimitMax;

const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '');

export const emptyKeyForm: KeyForm = {
  name: '',
  mode: 'live',
  scopes: ['verify', 'read_results'],
  limit: '',
  networks: '',
  lastDay: '',
};

/** For a first program: free, and with everything that the guide does. */
export const quickStartKeyForm: KeyForm = {
  ...emptyKeyForm,
  name: 'Quick start',
  mode: 'test',
  scopes: ['verify', 'read_results', 'manage_lists'],
};

export const formOfKey = (key: ScopedKey): KeyForm => ({
  name: key.name,
  mode: key.mode,
  scopes: key.scopes,
  limit: key.monthly_credit_limit === null ? '' : String(key.monthly_credit_limit),
  networks: key.allowed_networks.join('\n'),
  lastDay: key.expiration_date === null ? '' : dayOf(new Date(key.expiration_date)),
});

/** What the API takes. A key is valid until the end of its last day, where the person is. */
export function keyOfForm({ name, mode, scopes, limit, networks, lastDay }: KeyForm) {
  return {
    name,
    mode,
    scopes: scopesIn(mode, scopes),
    monthly_credit_limit: limit === '' ? null : Number(limit),
    allowed_networks: linesOf(networks),
    expiration_date: lastDay === '' ? null : new Date(`${lastDay}T23:59:59.999`).toISOString(),
  };
}

/** Only what the person changed, so that an exact time set through the API stays. */
export function changesOf(form: KeyForm, key: ScopedKey) {
  const { mode: _, ...wanted } = keyOfForm(form);
  const { mode: __, ...known } = keyOfForm(formOfKey(key));
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name as keyof typeof known]),
    ),
  ) as Partial<typeof wanted>;
}

const scopesIn = (mode: ScopedKey['mode'], scopes: readonly KeyScope[]): KeyScope[] =>
  scopes.filter((scope) => mode === 'live' || !needsLiveKey(scope));

const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
const twoDigits = (number: number): string => String(number).padStart(2, '0');
