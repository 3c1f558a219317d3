/**
 * Small words that belong to the family name that follows them: van der Berg, de la Cruz, von der Leyen. In folded, lower
 * case letters.
 */
export const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'van von vom der den dem de da das do dos del della delle di du des la las le les lo los ten ter te zu zum zur zer af av bin ibn ben al el y e t'.split(
    ' ',
  ),
);

/** Titles before a name and degrees or generations after it: no part of an address. */
export const NAME_TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms miss mx dr prof professor ing dipl sir dame rev jr sr ii iii iv phd md mba msc bsc cpa cfa pmp esq dds rn llm jd'.split(
    ' ',
  ),
);
