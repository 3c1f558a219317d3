import { NAME_PARTICLES } from '@assay/contract';
import type { NameParts } from './name-parts.ts';

/** One way of writing a name, or its beginning, in an address; the weights of several compare, the best is 1. */
export interface NameForm {
  readonly text: string;
  readonly weight: number;
}

/** How each part of a pattern may be filled in for one person. */
export interface NameForms {
  readonly first: readonly NameForm[];
  readonly last: readonly NameForm[];
  readonly f: readonly NameForm[];
  readonly l: readonly NameForm[];
}

export function formsOf(name: NameParts): NameForms {
  return { first: firstForms(name), last: lastForms(name), f: firstInitials(name), l: lastInitials(name) };
}

/** Jean-Luc: jean-luc, jeanluc, jean. Mary Ann: mary, maryann, mary.ann. */
function firstForms({ first }: NameParts): NameForm[] {
  const pieces = first.flat();
  const [given = []] = first;
  if (pieces.length === 1) return [form(pieces.join(''), 1)];
  if (first.length === 1) {
    return [form(given.join('-'), 1), form(given.join(''), 0.7), form(given[0], 0.5)];
  }
  return [form(given.join('-'), 1), form(pieces.join(''), 0.4), form(pieces.join('.'), 0.15)];
}

/**
 * van der Berg: vanderberg, berg, van.der.berg. Smith-Jones: smithjones, smith-jones, and each alone. García Márquez:
 * garciamarquez, garcia, marquez.
 */
function lastForms({ particles, last }: NameParts): NameForm[] {
  if (last.length === 0) return [];
  const pieces = last.flat();
  const hyphened = last.map((word) => word.join('-')).join('');
  const lead = particles.join('');
  const forms = [form(lead + pieces.join(''), 1)];
  if (hyphened !== pieces.join('')) forms.push(form(lead + hyphened, 0.8));
  if (particles.length > 0) {
    forms.push(form(pieces.join(''), 0.35), form([...particles, ...pieces].join('.'), 0.12));
    forms.push(form([...particles, hyphened].join('-'), 0.08));
  }
  const [firstPiece = ''] = pieces;
  if (last.length > 1) forms.push(form(lead + last[0]?.join(''), 0.6), form(last.at(-1)?.join(''), 0.4));
  // al-Rashid: rashid alone is a name, al is not.
  else if (pieces.length > 1 && NAME_PARTICLES.has(firstPiece))
    forms.push(form(pieces.slice(1).join(''), 0.35));
  else if (pieces.length > 1) forms.push(form(lead + firstPiece, 0.25), form(pieces.at(-1), 0.25));
  return forms;
}

/** Jean-Luc: j, jl. */
function firstInitials({ first }: NameParts): NameForm[] {
  const initials = first.flat().map(initialOf).join('');
  return initials.length > 1 ? [form(initials[0], 1), form(initials, 0.4)] : [form(initials, 1)];
}

/** van der Berg: v, b. */
function lastInitials({ particles, last }: NameParts): NameForm[] {
  const own = initialOf(last[0]?.[0] ?? '');
  if (own === '') return [];
  const [particle] = particles;
  return particle === undefined ? [form(own, 1)] : [form(initialOf(particle), 1), form(own, 0.6)];
}

const initialOf = (piece: string): string => piece.slice(0, 1);
const form = (text: string | undefined, weight: number): NameForm => ({ text: text ?? '', weight });
