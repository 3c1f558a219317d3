// Apart from verdicts.ts, whose schemas would otherwise be in the code of the verification page.

export const VERDICTS = ['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What is known about an address besides its verdict. */
export const ADDRESS_FLAGS = ['disposable', 'role', 'free_provider', 'plus_tag'] as const;
export type AddressFlag = (typeof ADDRESS_FLAGS)[number];
