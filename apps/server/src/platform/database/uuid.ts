/** The id of a row. PostgreSQL refuses other texts with an error. */
export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Comes before the id of every row. */
export const lowestId = '00000000-0000-0000-0000-000000000000';
