// Loose on purpose: the server reads the addresses. This only tells one from several.
const addressLike = /[^\s@,;<>"']{1,64}@[^\s@,;<>"']{1,255}/g;
const lengthMax = 5_000_000;

/** How many addresses a pasted text seems to hold. */
export const countAddresses = (text: string): number =>
  text.slice(0, lengthMax).match(addressLike)?.length ?? 0;
