import { parseAddress } from '@assay/verifier';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PersonName } from './name-parts.ts';
import { type LearnedPatterns, PATTERNS, type Pattern } from './patterns.ts';
import { canBeGuessed, rankCandidates } from './rank-candidates.ts';

const nothingLearned: LearnedPatterns = new Map();
const nameOf = (firstName: string, lastName: string): PersonName => ({ firstName, lastName });

/** The names before the @, the likeliest first. */
const guesses = (name: PersonName, { domain = 'acme.com', learned = nothingLearned } = {}): string[] =>
  rankCandidates(name, domain, learned).map(({ emailAddress }) => emailAddress.replace(`@${domain}`, ''));

describe('the likely addresses of a person', () => {
  it('are the usual patterns, the most common first', () => {
    expect(guesses(nameOf('Jane', 'Doe'))).toEqual([
      ...['jane.doe', 'jdoe', 'jane', 'janedoe', 'j.doe', 'jane_doe', 'janed', 'doe', 'doe.jane', 'doej'],
      ...['jane-doe', 'jane.d', 'doejane', 'jd', 'doe.j', 'doe_jane'],
    ]);
  });

  it.each([
    ['José', 'Núñez', ['jose.nunez', 'jnunez', 'jose']],
    ['Łukasz', 'Żółty', ['lukasz.zolty', 'lzolty']],
    ['Ímir', 'Þórðarson', ['imir.thordarson']],
    ['Zoë', 'Strauß', ['zoe.strauss', 'zstrauss']],
    ['İpek', 'Işık', ['ipek.isik']],
    // Written with a letter and a mark apart, as some systems store it.
    ['José'.normalize('NFD'), 'Núñez'.normalize('NFD'), ['jose.nunez']],
  ])('accents: %s %s', (first, last, expected) => {
    expect(guesses(nameOf(first, last)).slice(0, expected.length)).toEqual(expected);
  });

  it.each([
    ['acme.com', ['jurgen.muller', 'jmuller', 'juergen.mueller']],
    ['acme.de', ['juergen.mueller', 'jmueller', 'jurgen.muller']],
  ])('umlauts in both spellings, the one of the country first: %s', (domain, expected) => {
    expect(guesses(nameOf('Jürgen', 'Müller'), { domain }).slice(0, 3)).toEqual(expected);
  });

  it.each([
    [
      'Jan',
      'van der Berg',
      ['jan.vanderberg', 'jvanderberg', 'jan', 'jan.berg', 'jberg', 'jan.van.der.berg'],
    ],
    [
      'Ursula',
      'von der Leyen',
      ['ursula.vonderleyen', 'uvonderleyen', 'ursula.leyen', 'ursula.von.der.leyen'],
    ],
    ['Ana', 'de la Cruz', ['ana.delacruz', 'ana.cruz', 'ana.de.la.cruz']],
    ['Charles', "d'Artagnan", ['charles.dartagnan', 'cdartagnan']],
    ['Rory', 'O’Neill', ['rory.oneill', 'roneill']],
    ['José María', 'de la Cruz', ['jose.delacruz', 'jdelacruz', 'josemaria.delacruz', 'jose.cruz']],
    ['José', 'María de la Cruz', ['jose.delacruz', 'jdelacruz', 'josemaria.delacruz', 'jose.cruz']],
    ['Mohammed', 'bin Salman', ['mohammed.binsalman', 'mohammed.salman']],
    ['Ahmed', 'al-Rashid', ['ahmed.alrashid', 'ahmed.al-rashid', 'ahmed.rashid']],
    ['Ahmed', 'al Rashid', ['ahmed.alrashid', 'ahmed.rashid']],
    ['María del Carmen', 'López', ['maria.lopez', 'mlopez', 'mariadelcarmen.lopez']],
    ['Ana', 'García de la Torre', ['ana.garciadelatorre', 'ana.garcia']],
    ['José', 'Ortega y Gasset', ['jose.ortegaygasset', 'jose.ortega', 'jose.gasset']],
  ])('particles and apostrophes: %s %s', (first, last, expected) => {
    const found = guesses(nameOf(first, last));
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found[0]).toBe(expected[0]);
  });

  it('a particle alone is not a family name', () => {
    expect(guesses(nameOf('Ahmed', 'al-Rashid'))).not.toContain('ahmed.al');
  });

  it('a dotted name goes only with dots', () => {
    expect(guesses(nameOf('Jan', 'van der Berg'))).not.toContain('jvan.der.berg');
  });

  it.each([
    ['Do', 'Thi Do', 'do.thido'],
    ['Linh', 'Le', 'linh.le'],
    ['Ali', 'Van', 'ali.van'],
  ])('a particle that nothing follows is the name: %s %s', (first, last, expected) => {
    expect(guesses(nameOf(first, last))[0]).toBe(expected);
  });

  it.each([
    ['Jean-Luc', 'Picard', ['jean-luc.picard', 'jpicard', 'jeanluc.picard', 'jean.picard', 'jlpicard']],
    ['Ann', 'Smith-Jones', ['ann.smithjones', 'ann.smith-jones', 'asmithjones', 'ann.jones', 'ann.smith']],
    ['Ann', 'Smith‑Jones', ['ann.smithjones', 'ann.smith-jones']],
    ['Mary Ann', 'Lee', ['mary.lee', 'mlee', 'maryann.lee', 'mary.ann.lee']],
    ['Gabriel', 'García Márquez', ['gabriel.garciamarquez', 'gabriel.garcia', 'gabriel.marquez']],
  ])('hyphens and several names: %s %s', (first, last, expected) => {
    const found = guesses(nameOf(first, last));
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found[0]).toBe(expected[0]);
  });

  it.each([
    ['Jane M.', 'Doe'],
    ['Jane', 'M. Doe'],
  ])('a middle initial is no part of the family name: %s %s', (first, last) => {
    expect(guesses(nameOf(first, last)).slice(0, 2)).toEqual(['jane.doe', 'jdoe']);
  });

  it.each([
    ['Sukarno', ''],
    ['', 'Sukarno'],
    [' Sukarno ', '  '],
  ])('one name, in whichever field: "%s" "%s"', (first, last) => {
    expect(guesses(nameOf(first, last))).toEqual(['sukarno']);
  });

  it.each([
    ['Dr. Jane', 'Doe, PhD'],
    ['Jane', 'Doe Jr.'],
    ['Jane (she/her)', 'Doe'],
    ['Jane "Jay"', 'Doe'],
    ['Jane 🚀', 'Doe'],
    ['  JANE', 'doe  '],
  ])('titles, asides and capitals are no part of it: %s %s', (first, last) => {
    expect(guesses(nameOf(first, last))).toEqual(guesses(nameOf('Jane', 'Doe')));
  });

  it('a name that is only a title is kept', () => {
    expect(guesses(nameOf('Dame', 'Sir'))[0]).toBe('dame.sir');
  });

  it.each([
    ['Иван', 'Петров'],
    ['明', '王'],
    ['Jane', 'Петрова'],
    ['', ''],
    ['.', '-'],
  ])('none for a name that has no plain Latin letters: "%s" "%s"', (first, last) => {
    expect(guesses(nameOf(first, last))).toEqual([]);
    expect(canBeGuessed(nameOf(first, last))).toBe(false);
  });

  it('none is longer than mail allows before the @', () => {
    const found = guesses(nameOf('A'.repeat(40), 'B'.repeat(40)));
    expect(found[0]).toBe(`a${'b'.repeat(40)}`);
    expect(found.every((local) => local.length <= 64)).toBe(true);
  });
});

describe('what was proved at the domain', () => {
  it('leads from the first proof on', () => {
    for (const pattern of PATTERNS) {
      const [first] = rankCandidates(nameOf('Jane', 'Doe'), 'acme.com', new Map([[pattern, 1]]));
      expect(first?.pattern).toBe(pattern);
    }
  });

  it('ranks by the number of proofs, so a changed pattern wins in time', () => {
    const learned = new Map<Pattern, number>([
      ['{f}{last}', 2],
      ['{first}.{last}', 9],
    ]);
    expect(guesses(nameOf('Jane', 'Doe'), { learned }).slice(0, 2)).toEqual(['jane.doe', 'jdoe']);
  });
});

const word = fc.stringMatching(/^[A-Za-zäöüéñçøßł'’. -]{0,20}$/);
const learnedPatterns = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...PATTERNS), fc.integer({ min: 1, max: 50 })), {
    selector: ([pattern]) => pattern,
  })
  .map((entries): LearnedPatterns => new Map(entries));

describe('for any name', () => {
  it('every candidate is a valid address in plain lower case, without repetition', () => {
    fc.assert(
      fc.property(word, word, learnedPatterns, (first, last, learned) => {
        const found = rankCandidates(nameOf(first, last), 'acme.com', learned);
        expect(new Set(found.map(({ emailAddress }) => emailAddress)).size).toBe(found.length);
        for (const { emailAddress } of found) {
          expect(emailAddress).toMatch(/^[a-z]+([._-][a-z]+)*@acme\.com$/);
          expect(parseAddress(emailAddress).ok).toBe(true);
        }
      }),
    );
  });

  it('likelihood falls from one to the next, and asking again gives the same', () => {
    fc.assert(
      fc.property(word, word, learnedPatterns, (first, last, learned) => {
        const found = rankCandidates(nameOf(first, last), 'acme.com', learned);
        const likelihoods = found.map(({ likelihood }) => likelihood);
        expect(likelihoods).toEqual([...likelihoods].sort((left, right) => right - left));
        expect(likelihoods.every((likelihood) => likelihood > 0 && likelihood <= 1)).toBe(true);
        expect(rankCandidates(nameOf(first, last), 'acme.com', learned)).toEqual(found);
      }),
    );
  });

  it('capitals, marks apart and space around change nothing', () => {
    fc.assert(
      fc.property(word, word, (first, last) => {
        const usual = guesses(nameOf(first, last));
        expect(guesses(nameOf(` ${first.normalize('NFD')} `, `${last.toLowerCase()}  `))).toEqual(usual);
      }),
    );
  });

  it('exactly the people who can be guessed have candidates', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (first, last) => {
        const name = nameOf(first.slice(0, 20), last.slice(0, 20));
        expect(guesses(name).length > 0).toBe(canBeGuessed(name));
      }),
    );
  });
});
