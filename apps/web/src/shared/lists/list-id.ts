/** Whether the server would take it as the id of a list. Not by the contract's schema, so that list pages load no schema. */
export const isListId = (text: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(text);
