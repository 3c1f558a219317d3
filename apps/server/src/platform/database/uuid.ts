/** The id of a row. PostgreSQL refuses other texts with an error. */
export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
