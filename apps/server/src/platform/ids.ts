declare const kind: unique symbol;

/** An id that the compiler refuses where the id of another kind is meant. Text from an edge, such as a row or a job, fits each. */
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

/** What owns lists, results, keys and credits. See docs/decisions/accounts-own-people-act.md. */
export type AccountId = Id<'account'>;

/** A person, who signs in and acts for accounts. */
export type UserId = Id<'user'>;

/** The account that a person opened by signing up has the person's id. */
export const ownAccountOf = (userId: UserId): AccountId => userId as string;

/** The person who opened an account and owns it, as long as accounts have one person. */
export const openerOf = (accountId: AccountId): UserId => accountId as string;
