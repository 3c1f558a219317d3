// Apart from downloads.ts, whose schemas would otherwise be in the code of a list's page.

/** The columns that exports add to the customer's, in this order; `outcome` only where mail for an address had one. */
export const RESULT_COLUMNS = ['result', 'reason', 'flags', 'mx_provider', 'suggestion', 'outcome'] as const;
export type ResultColumn = (typeof RESULT_COLUMNS)[number];

/** The most columns of a file that a call chooses from. */
export const CHOSEN_COLUMNS_MAX = 200;
