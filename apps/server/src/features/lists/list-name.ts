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
  const cut = cutAtWord(name, LIST_NAME_LENGTH.max);
  return [...cut].length >= LIST_NAME_LENGTH.min ? cut : fallback;
}

/** Without the half of a word at its end, unless little would be left. */
function cutAtWord(name: string, lengthMax: number): string {
  // Letters are counted as the rules count them: one outside the basic plane is one.
  const letters = [...name];
  const cut = letters.slice(0, lengthMax).join('').trim();
  const isWhole =
    letters.length <= lengthMax || /[ _-]/.test(letters.slice(lengthMax - 1, lengthMax + 1).join(''));
  const words = withoutLastWord(cut);
  return isWhole || [...words].length < lengthMax / 2 ? cut : words;
}

const separators = [' ', '_', '-'];

function withoutLastWord(text: string): string {
  let end = Math.max(...separators.map((separator) => text.lastIndexOf(separator)));
  while (end > 0 && separators.includes(text.charAt(end - 1))) end -= 1;
  return end < 0 ? text : text.slice(0, end);
}

const unknownsEnding = ' unknown';

/** The name of a list that verifies the unknown rows of another one again. */
export function nameOfUnknowns(name: string): string {
  if (name.endsWith(unknownsEnding)) return name;
  const room = LIST_NAME_LENGTH.max - unknownsEnding.length;
  return `${[...name].slice(0, room).join('').trim()}${unknownsEnding}`;
}
