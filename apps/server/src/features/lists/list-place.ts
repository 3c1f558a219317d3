export interface ListPlace {
  readonly ownerId: string;
  readonly listId: string;
}
