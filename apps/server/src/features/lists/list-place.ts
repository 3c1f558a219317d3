export interface ListPlace {
  readonly ownerId: string;
  readonly listId: string;
}

/** The work of a customer that was created before a moment. */
export interface OldWork {
  readonly ownerId: string;
  readonly before: Date;
}

/** The list that a call names. */
export const placeOf = (
  customer: { readonly userId: string },
  params: { readonly list_id: string },
): ListPlace => ({ ownerId: customer.userId, listId: params.list_id });
