const betweenAddresses = /[\s,;<>"']+/;
const lengthMax = 5_000_000;

/** How many addresses a pasted text seems to hold. Loose on purpose: the server reads them, this only tells one from several. */
export const countAddresses = (text: string): number =>
  text.slice(0, lengthMax).split(betweenAddresses).filter(looksLikeAddress).length;

function looksLikeAddress(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && at < word.length - 1;
}
