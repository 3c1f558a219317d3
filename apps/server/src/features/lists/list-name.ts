import { LIST_NAME_LENGTH } from '@assay/contract';

const fallback = 'Email list';

/** A list's name from its file's, within the rules for names: what does not fit is left out or cut off. */
export function nameFromFile(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '').replace(/\.(csv|txt|tsv|xlsx|ods|zip)$/i, '');
  const name = base
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_\-. ]+/gu, ' ')
    // Marks without a letter, such as the invisible one after an emoji, are left out.
    .replace(/([\p{L}\p{N}]\p{M}*)|\p{M}+/gu, (_, letter: string | undefined) => letter ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Letters are counted as the rules count them: one outside the basic plane is one.
  const cut = [...[...name].slice(0, LIST_NAME_LENGTH.max).join('').trim()];
  return cut.length >= LIST_NAME_LENGTH.min ? cut.join('') : fallback;
}

const unknownsEnding = ' unknown';

/** The name of a list that verifies the unknown rows of another one again. */
export function nameOfUnknowns(name: string): string {
  if (name.endsWith(unknownsEnding)) return name;
  const room = LIST_NAME_LENGTH.max - unknownsEnding.length;
  return `${[...name].slice(0, room).join('').trim()}${unknownsEnding}`;
}
