// Some hosts refuse what looks made up by a machine and take everything else. The names therefore look like people's, and
// their surnames are still too odd for anyone to have them.
const firstNames =
  'adele agnes alban alma anton arlo astrid aurel beate bruno carla cecil clara conrad dagmar delia edgar elsa emil enzo erwin fabian felix flora freda georg gerda greta hanna hector helga hugo ilse irma ivo jonas karin klara lena leon linus lotte ludo magda malte marta milo nadia nils nora oscar otto paula petra quirin rosa ruben selma silas sonja theo tilda ursula vera viktor wanda wilma xaver yvonne zita'.split(
    ' ',
  );
const beginnings =
  'bar bel bor dal del dor fal fen gar gol hal har kar kel lam lor mal mer nor pel ral ros sal ser tal tor val vel war wel'.split(
    ' ',
  );
const middles = 'a e i o u an en in on er or'.split(' ');
const endings =
  'bach berg brook dorf feld ford grove ham heim holt land ley man mann mer mond moor ner sen son stein stone ton wald well wick worth'.split(
    ' ',
  );

/** What a host that accepts everything may look at in a name. */
export interface NameShape {
  hasDigits: boolean;
  hasDot: boolean;
  isLong: boolean;
}

const longFrom = 13;

export const shapeOf = (localPart: string): NameShape => ({
  hasDigits: /\d/.test(localPart),
  hasDot: localPart.includes('.'),
  isLong: localPart.length >= longFrom,
});

/** A mailbox name of this shape that looks ordinary and that nobody has. */
export function inventMailboxName({ hasDigits, hasDot, isLong }: NameShape, random = Math.random): string {
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] as string;
  const first = pick(firstNames);
  const last = `${pick(beginnings)}${pick(middles)}${pick(endings)}`;
  const parts = [isLong ? first : first.charAt(0), last];
  if (isLong && random() < 0.5) parts.reverse();
  const number = hasDigits ? 11 + Math.floor(random() * 88) : '';
  return `${parts.join(hasDot ? '.' : '')}${number}`;
}
