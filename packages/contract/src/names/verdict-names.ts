export const VERDICTS = ['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What is known about an address besides its verdict. Schemas, documents, exports, filters and pages derive from this table; how
 * the engine knows a flag is in its `address-flags.ts`. Results are stored with the bits, so a bit never changes its meaning.
 */
export const FLAG_TABLE = {
  disposable: {
    bit: 1,
    label: 'Disposable',
    question: 'Disposable',
    description: 'Whether the domain is for addresses that are used once.',
  },
  role: {
    bit: 2,
    label: 'Role',
    question: 'Role, not a person',
    description: 'Whether the address belongs to a function such as info@, not to a person.',
  },
  free_provider: {
    bit: 4,
    label: 'Free provider',
    question: 'Free provider',
    description: 'Whether anyone can get a mailbox at the domain.',
  },
  plus_tag: {
    bit: 8,
    label: '+tag',
    question: 'Has a +tag',
    description: 'Whether the part before the @ has a tag, as in jane+shop@.',
  },
} as const;

export type AddressFlag = keyof typeof FLAG_TABLE;
export const ADDRESS_FLAGS = Object.keys(FLAG_TABLE) as AddressFlag[];

/** A value for every flag. */
export const byFlag = <Value>(describe: (flag: AddressFlag) => Value): Record<AddressFlag, Value> =>
  Object.fromEntries(ADDRESS_FLAGS.map((flag) => [flag, describe(flag)])) as Record<AddressFlag, Value>;
