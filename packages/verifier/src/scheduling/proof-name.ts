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

/** `numbered` names end in digits, `plain` ones have none: some hosts that accept everything refuse one or the other. */
export type NameShape = 'numbered' | 'plain';

const shapes: Record<NameShape, readonly ((name: InventedName) => string)[]> = {
  numbered: [
    ({ first, last, number }) => `${first}.${last}${number}`,
    ({ first, last, number }) => `${first}${last}${number}`,
    ({ first, last, number }) => `${first[0]}.${last}${number}`,
    ({ last, number }) => `${last}${number}`,
  ],
  plain: [
    ({ first, last }) => `${first}.${last}`,
    ({ first, last }) => `${first}${last}`,
    ({ first, last }) => `${last}.${first}`,
    ({ first, last }) => `${first[0]}${last}`,
    ({ first, last }) => `${first}-${last}`,
  ],
};

interface InventedName {
  first: string;
  last: string;
  number: number;
}

/** A mailbox name that looks ordinary and that nobody has. */
export function inventMailboxName(shape: NameShape, random: () => number = Math.random): string {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const last = `${pick(beginnings)}${pick(middles)}${pick(endings)}`;
  return pick(shapes[shape])({ first: pick(firstNames), last, number: 11 + Math.floor(random() * 88) });
}
