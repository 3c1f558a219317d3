const deletedIds = new Set<string>();

/** Steps of the browser's history may lead back to a list that is gone: its page then leads on to the grid. */
export const noteDeleted = (listId: string): void => void deletedIds.add(listId);
export const wasDeleted = (listId: string): boolean => deletedIds.has(listId);
