/** How many questions a day the owner of a domain allows; 0 means that we must not ask at all. */
export type PerDay = number;

/** Nothing is said, so our own limits are the only ones. */
export const noWish: PerDay = Number.POSITIVE_INFINITY;

/** The name whose TXT records say what the owner of a domain wants. Subdomains do not inherit it. */
export const ownerRecordName = (domain: string): string => `_assay.${domain}`;

const recordsMax = 20;
const recordCharactersMax = 500;
const version = /^v\s*=\s*assay1$/;
const never = /^never$/;
const limit = /^limit\s*=\s*(\d{1,9})\s*\/\s*day$/;

/**
 * What the records of a domain say: `v=assay1; never` or `v=assay1; limit=100/day`. Others may have records of their own under the
 * name, such as a wildcard, so what is malformed does not count. Of several records the strictest counts.
 */
export function readOwnerRecords(texts: readonly string[]): PerDay {
  return texts
    .slice(0, recordsMax)
    .reduce((strictest, text) => Math.min(strictest, readRecord(text)), noWish);
}

function readRecord(text: string): PerDay {
  if (text.length > recordCharactersMax) return noWish;
  const [first = '', ...parts] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!version.test(first)) return noWish;
  const wishes = parts.filter((part) => part !== '').map(readWish);
  // A part that we do not understand may be a slip: then the record says nothing for certain.
  if (wishes.some((wish) => wish === undefined)) return noWish;
  return wishes.reduce<PerDay>((strictest, wish) => Math.min(strictest, wish ?? noWish), noWish);
}

function readWish(part: string): PerDay | undefined {
  if (never.test(part)) return 0;
  const count = limit.exec(part)?.[1];
  return count === undefined ? undefined : Number(count);
}
