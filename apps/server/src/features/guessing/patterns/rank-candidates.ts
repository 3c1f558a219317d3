import type { Spelling } from './fold-letters.ts';
import { formsOf, type NameForm, type NameForms } from './name-forms.ts';
import { type PersonName, readNameParts } from './name-parts.ts';
import { type LearnedPatterns, likelihoodOf, PATTERNS, type Pattern } from './patterns.ts';

/** An address that a person may have, not verified yet. */
export interface Candidate {
  readonly emailAddress: string;
  readonly pattern: Pattern;
  readonly likelihood: number;
}

/** Where an umlaut is written with two letters before it is written with none. */
const digraphEndings = /\.(de|at|ch|li)$/;
/** How much less likely the other spelling is. */
const otherSpelling = 0.5;

/**
 * The addresses that a person is likely to have at a domain, the likeliest first, each once. None where the name has
 * letters that cannot be written in an address.
 */
export function rankCandidates(name: PersonName, domain: string, learned: LearnedPatterns): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const [spelling, weight] of spellingsAt(domain)) {
    const parts = readNameParts(name, spelling);
    if (parts === null) continue;
    const forms = formsOf(parts);
    for (const pattern of PATTERNS) {
      const chance = weight * likelihoodOf(pattern, learned);
      for (const { text, weight: formWeight } of fillIn(pattern, forms)) {
        const known = best.get(text);
        const likelihood = chance * formWeight;
        if (!isMailboxName(text) || (known && known.likelihood >= likelihood)) continue;
        best.set(text, { emailAddress: `${text}@${domain}`, pattern, likelihood });
      }
    }
  }
  // Equally likely ones are in the order of the patterns, so that a guess made again asks the same.
  return [...best.values()].sort(
    (left, right) =>
      right.likelihood - left.likelihood || PATTERNS.indexOf(left.pattern) - PATTERNS.indexOf(right.pattern),
  );
}

/** Whether an address can be made of this name at all. */
export const canBeGuessed = (name: PersonName): boolean => readNameParts(name, 'plain') !== null;

const spellingsAt = (domain: string): [Spelling, number][] =>
  digraphEndings.test(domain)
    ? [
        ['digraph', 1],
        ['plain', otherSpelling],
      ]
    : [
        ['plain', 1],
        ['digraph', otherSpelling],
      ];

/** Every way in which a pattern comes out for a name; none where the name lacks a part. */
function fillIn(pattern: Pattern, forms: NameForms): NameForm[] {
  let filled: NameForm[] = [{ text: '', weight: 1 }];
  for (const [, part, separator] of pattern.matchAll(/\{(first|last|f|l)\}([._-]?)/g)) {
    const choices = forms[part as keyof NameForms];
    filled = filled.flatMap(({ text, weight }) =>
      choices.map((choice) => ({ text: text + choice.text + separator, weight: weight * choice.weight })),
    );
  }
  // A name in several words with dots goes only with dots: jan.van.der.berg, never jvan.der.berg.
  return pattern.includes('.') ? filled : filled.filter(({ text }) => !text.includes('.'));
}

/** Not longer than mail allows (RFC 5321 §4.5.3.1.1). */
const isMailboxName = (text: string): boolean => /^[a-z]+(?:[._-][a-z]+)*$/.test(text) && text.length <= 64;
