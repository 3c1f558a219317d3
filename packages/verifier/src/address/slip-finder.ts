/** Finds the mail provider's domain that a typed domain was probably meant to be. */
export type SlipFinder = (domain: string) => string | undefined;

interface Provider {
  readonly name: string;
  /** The part after the first dot. */
  readonly ending: string;
  /** Position in the list: the most used come first. */
  readonly rank: number;
}

interface Label {
  readonly text: string;
  readonly characters: number;
  readonly editsMax: number;
  readonly providers: Provider[];
}

export interface SlipFinderParts {
  /** Domains of mail providers, the most used first. */
  readonly providers: Iterable<string>;
  /** Whether a domain is a known one and therefore no slip. */
  isKnown(domain: string): boolean;
  /** Whether domains can be registered below this name: `com`, `co.uk`. */
  isPublicSuffix(ending: string): boolean;
}

// Real top-level domains that are typed by mistake more often than on purpose.
const endingsTypedByMistake = new Set(['cm', 'co', 'om', 'cam', 'ne', 'et']);
// Providers with this domain only: the right name with any other ending is a slip.
const soleDomains = new Set(['gmail.com', 'icloud.com', 'btinternet.com', 'sbcglobal.net', 'bellsouth.net']);
const topRank = 12;

/**
 * A slip is an error in the name, in the ending, or in both. A real ending is not corrected to another: hotmail.se and
 * hotmail.de are both real.
 */
export function createSlipFinder({ providers, isKnown, isPublicSuffix }: SlipFinderParts): SlipFinder {
  const labels = new Map<string, Label>();
  const byNameWithoutDots = new Map<string, string>();
  let rank = 0;
  for (const name of providers) {
    const [text, ending] = splitAtFirstDot(name);
    const label = labels.get(text) ?? newLabel(text, rank);
    label.providers.push({ name, ending, rank: rank++ });
    labels.set(text, label);
    const glued = name.replaceAll('.', '');
    if (!byNameWithoutDots.has(glued)) byNameWithoutDots.set(glued, name);
  }

  return (domain) => {
    if (isKnown(domain)) return undefined;
    const misplacedDot = byNameWithoutDots.get(domain.replaceAll('.', ''));
    if (misplacedDot !== undefined) return misplacedDot;
    const [text, ending] = splitAtFirstDot(domain);
    const label = labels.get(text);
    const namesake = label?.providers[0];
    if (ending === '') return namesake !== undefined && namesake.rank < topRank ? namesake.name : undefined;
    // The right name is not changed into another one: hanmail.com is not hotmail.com.
    if (label === undefined || namesake === undefined) return findNearest(labels.values(), text, ending);
    if (!soleDomains.has(namesake.name)) return findNearest([label], text, ending);
    return isPublicSuffix(ending) || !ending.includes('.') ? namesake.name : undefined;
  };

  function findNearest(among: Iterable<Label>, text: string, ending: string): string | undefined {
    const characters = charactersOf(text);
    let best: Provider | undefined;
    let bestEdits = Number.POSITIVE_INFINITY;
    for (const label of among) {
      const nameEdits = countNameEdits(text, characters, label);
      if (nameEdits > label.editsMax) continue;
      for (const provider of label.providers) {
        const edits = nameEdits + countEndingEdits(ending, provider.ending);
        if (edits < bestEdits || (edits === bestEdits && provider.rank < (best?.rank ?? 0))) {
          best = provider;
          bestEdits = edits;
        }
      }
    }
    return best?.name;
  }

  function countEndingEdits(typed: string, meant: string): number {
    if (typed === meant) return 0;
    const isNear = typed.length === 1 ? meant.startsWith(typed) : countEdits(typed, meant, 1) === 1;
    return isNear && !isRealEnding(typed, meant) ? 1 : Number.POSITIVE_INFINITY;
  }

  function isRealEnding(typed: string, meant: string): boolean {
    if (endingsTypedByMistake.has(typed)) return false;
    const country = typed.slice(typed.lastIndexOf('.') + 1);
    return isPublicSuffix(typed) || (isPublicSuffix(country) && !meant.endsWith(`.${country}`));
  }
}

/** The shorter a name, the more other names are near it, so short ones tolerate fewer edits. */
function newLabel(text: string, rank: number): Label {
  const editsMax = text.length >= 7 || (text.length >= 5 && rank < topRank) ? 2 : text.length >= 4 ? 1 : 0;
  return { text, characters: charactersOf(text), editsMax, providers: [] };
}

function countNameEdits(typed: string, characters: number, label: Label): number {
  const { text, editsMax } = label;
  if (typed === text) return 0;
  if (Math.abs(text.length - typed.length) > editsMax) return Number.POSITIVE_INFINITY;
  // One edit changes at most two of the characters.
  if (countBits(label.characters ^ characters) > 2 * editsMax) return Number.POSITIVE_INFINITY;
  const edits = countEdits(typed, text, editsMax);
  if (edits === 1 && text.length === 4 && !hasSameLetters(typed, text)) return Number.POSITIVE_INFINITY;
  // Of a short name, two edits leave little but its first letter.
  if (edits === 2 && text.length < 7 && typed[0] !== text[0]) return Number.POSITIVE_INFINITY;
  return edits;
}

/** A swap or a doubled letter. */
const hasSameLetters = (typed: string, meant: string): boolean =>
  typed.length >= meant.length && charactersOf(typed) === charactersOf(meant);

function splitAtFirstDot(domain: string): [string, string] {
  const dot = domain.indexOf('.');
  return dot < 0 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/** The characters of a name, one bit each: a cheap test before edits are counted. */
function charactersOf(name: string): number {
  let bits = 0;
  for (let index = 0; index < name.length; index++) bits |= 1 << (name.charCodeAt(index) & 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Damerau-Levenshtein distance (a swap of neighbours counts once), given up beyond `max`. */
export function countEdits(left: string, right: string, max: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let edits = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] as number;
}
