/** Whole numbers as PostgreSQL writes an array of them: pg looks at every element by itself, which long ones feel. */
export const numberArray = (numbers: readonly number[] | Uint32Array): string => `{${numbers.join()}}`;
