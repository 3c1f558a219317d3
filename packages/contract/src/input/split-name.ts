import { NAME_PARTICLES } from './name-words.ts';

/**
 * Counts the words of a full name that are given names: 2 of José María de la
 * Cruz, 1 of Gabriel García Márquez. It uses habits of languages, the most reliable first.
 */
export function countGivenNames(name: readonly string[]): number {
  const words = name.map(plainOf);
  const initial = words.findLastIndex((word, at) => at > 0 && at < words.length - 1 && isInitial(word));
  if (initial > 0) return initial + 1;
  const afterDevotion = countDevotionalName(words);
  if (afterDevotion > 0) return afterDevotion;
  const particle = words.findIndex((_, index) => index > 0 && isParticleBeforeName(words, index));
  const linked = words.findIndex((word, index) => index > 1 && surnameLinks.has(word));
  if (linked > 0 && (particle < 0 || linked < particle)) return countPlainGivenNames(words.slice(0, linked));
  if (particle > 0) return withoutSurnames(words.slice(0, particle));
  return countPlainGivenNames(words);
}

/** Whether a word that follows a first name is more likely a second given name than a family name. */
export const isSecondGivenName = (word: string): boolean =>
  secondGivenNames.has(plainOf(word)) || isInitial(plainOf(word));

/** Jane M. Doe. A bare O or D may also begin O'Neill or D'Souza. */
const isInitial = (word: string): boolean =>
  /^\p{L}\.$/u.test(word) || (/^\p{L}$/u.test(word) && !'od'.includes(word) && !NAME_PARTICLES.has(word));

/** Ortega y Gasset, Costa e Silva: these join two family names. */
const surnameLinks: ReadonlySet<string> = new Set(['y', 'e']);

/** María del Carmen, Juan de Dios, Maria de Lourdes: a particle inside a given name. */
const devotions: ReadonlySet<string> = new Set(
  'angeles carmen consuelo dios dolores fatima guadalupe jesus lourdes luz mar mercedes milagros nieves paz pilar rocio rosario socorro sol valle'.split(
    ' ',
  ),
);

const secondGivenNames: ReadonlySet<string> = new Set(
  [
    'alberto alejandro alfonso andres angel angeles antonio beatriz carlos carmen cristina daniel david eduardo elena',
    'enrique ernesto eugenia felipe fernanda fernando francisco gabriel guadalupe ignacio isabel javier jesus jorge',
    'jose juan julia laura lucia luis luisa manuel maria miguel pablo paula pedro pilar rafael ramon raul ricardo',
    'roberto rocio rosa sofia teresa victoria ann anna anne beth claude ellen eva heinz jane jean joseph josef lou',
    'louis louise luc marie mary paul peter philippe pierre ray rose sue',
  ].flatMap((line) => line.split(' ')),
);

const familyNames: ReadonlySet<string> = new Set(
  'castro costa ferreira garcia gil molina moreno navarro oliveira ortega pereira ramos romero santos silva souza torres vega'.split(
    ' ',
  ),
);
/** The known ones and Spanish patronymics: López, Ruiz, Díaz, but not Beatriz. */
const isFamilyName = (word: string): boolean =>
  familyNames.has(word) || (!secondGivenNames.has(word) && /(?:ez|iz|az)$/.test(word));

const plainOf = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

function isParticleBeforeName(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  return NAME_PARTICLES.has(word) && !surnameLinks.has(word) && words.slice(index + 1).some(isNoParticle);
}

const isNoParticle = (word: string): boolean => !NAME_PARTICLES.has(word);

function countDevotionalName(words: readonly string[]): number {
  const at = words.findIndex((word, index) => index > 1 && devotions.has(word));
  const isLedByParticles = at > 1 && words.slice(1, at).every((word) => NAME_PARTICLES.has(word));
  // A family name must remain: María del Carmen alone is María with that family name.
  return isLedByParticles && at < words.length - 1 ? at + 1 : 0;
}

/** Before a particle all are given names, up to one that is known as a family name: Ana García de la Torre. */
function withoutSurnames(words: readonly string[]): number {
  const surname = words.findIndex((word, index) => index > 0 && isFamilyName(word));
  return surname > 0 ? surname : words.length;
}

/** Three words are one given name and two family names, unless the second is known as a given name; four are two each. */
function countPlainGivenNames(words: readonly string[]): number {
  const [, second = ''] = words;
  if (words.length < 3 || isFamilyName(second)) return 1;
  return words.length > 3 || secondGivenNames.has(second) ? 2 : 1;
}
