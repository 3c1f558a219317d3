const beforeAt = /[^\s<>()[\]",;:\\@]/;
const afterAt = /[\p{L}\p{N}.-]/u;
const localCharactersMax = 256;
const domainCharactersMax = 255;

/** The mail addresses in a text, each once, in order. Reads each character a few times at most. */
export function addressesIn(text: string, countMax = 1_000): string[] {
  const found = new Map<string, string>();
  for (let at = text.indexOf('@'); at >= 0 && found.size < countMax; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < localCharactersMax && isOf(beforeAt, text[start - 1])) start -= 1;
    let end = at + 1;
    while (end < text.length && end - at <= domainCharactersMax && isOf(afterAt, text[end])) end += 1;
    while (end > at + 1 && isOf(/[.-]/, text[end - 1])) end -= 1;
    // Some reports put the address between apostrophes, which a name may hold too, or behind its kind.
    const local = text.slice(start, at).replace(/^'+|^smtp=/i, '');
    const domain = text.slice(at + 1, end);
    if (local === '' || domain === '') continue;
    const address = `${local}@${domain}`;
    if (!found.has(address.toLowerCase())) found.set(address.toLowerCase(), address);
  }
  return [...found.values()];
}

export const firstAddressIn = (text: string): string | undefined => addressesIn(text, 1)[0];

export const isSameAddress = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

const isOf = (characters: RegExp, one: string | undefined): boolean =>
  one !== undefined && characters.test(one);
