import type { AccountId } from '../../platform/ids.ts';

export interface ListPlace {
  readonly ownerId: AccountId;
  readonly listId: string;
}

/** The work of a customer that was created before a moment. */
export interface OldWork {
  readonly ownerId: AccountId;
  readonly before: Date;
}

/** The list that a call names. */
export const placeOf = (
  caller: { readonly accountId: AccountId },
  params: { readonly list_id: string },
): ListPlace => ({ ownerId: caller.accountId, listId: params.list_id });
