/** How many questions a day the owner of a domain allows; 0 means that we must not ask at all. */
export type PerDay = number;

/** Nothing is said, so our own limits are the only ones. */
export const noWish: PerDay = Number.POSITIVE_INFINITY;

/** What the records of a domain say. */
export interface OwnerRecord {
  readonly perDay: PerDay;
  /** Tokens that the page for postmasters gave out: it shows how many questions there were to whom publishes one. */
  readonly countTokens: readonly string[];
}

/** The name whose TXT records say what the owner of a domain wants. Subdomains do not inherit it. */
export const ownerRecordName = (domain: string): string => `_assay.${domain}`;

const recordsMax = 20;
const recordCharactersMax = 500;
const version = /^v\s*=\s*assay1$/;
const never = /^never$/;
const limit = /^limit\s*=\s*(\d{1,9})\s*\/\s*day$/;
const count = /^count\s*=\s*([0-9a-f]{32})$/;

/**
 * What the records of a domain say: `v=assay1; never`, `v=assay1; limit=100/day` or `v=assay1; count=TOKEN`. Others may have records
 * of their own under the name, such as a wildcard, so what is malformed does not count. Of several records the strictest counts.
 */
export function readOwnerRecords(texts: readonly string[]): OwnerRecord {
  const records = texts.slice(0, recordsMax).map(readRecord);
  return {
    perDay: Math.min(noWish, ...records.map(({ perDay }) => perDay)),
    countTokens: records.flatMap(({ countTokens }) => countTokens),
  };
}

const saysNothing: OwnerRecord = { perDay: noWish, countTokens: [] };

function readRecord(text: string): OwnerRecord {
  if (text.length > recordCharactersMax) return saysNothing;
  const [first = '', ...parts] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!version.test(first)) return saysNothing;
  const wishes = parts.filter((part) => part !== '').map(readPart);
  // A part that we do not understand may be a slip: then the record says nothing for certain.
  if (wishes.some((wish) => wish === undefined)) return saysNothing;
  return {
    perDay: Math.min(noWish, ...wishes.map((wish) => wish?.perDay ?? noWish)),
    countTokens: wishes.flatMap((wish) => wish?.countTokens ?? []),
  };
}

function readPart(part: string): OwnerRecord | undefined {
  if (never.test(part)) return { perDay: 0, countTokens: [] };
  const token = count.exec(part)?.[1];
  if (token !== undefined) return { perDay: noWish, countTokens: [token] };
  const perDay = limit.exec(part)?.[1];
  return perDay === undefined ? undefined : { perDay: Number(perDay), countTokens: [] };
}
