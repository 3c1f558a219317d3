// Some hosts refuse what looks made up by a machine and take everything else. The name therefore looks like a person
// who got a number because the plain name was taken, and is still too odd for anyone to have it.
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

/** A mailbox name that looks ordinary and that nobody has. */
export function inventMailboxName(random: () => number = Math.random): string {
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] as string;
  const number = 11 + Math.floor(random() * 88);
  return `${pick(firstNames)}.${pick(beginnings)}${pick(middles)}${pick(endings)}${number}`;
}
