/** Two habits of writing letters with marks in an address: Müller as muller, and as mueller. */
export type Spelling = 'plain' | 'digraph';

/** Letters that do not come apart into a plain letter and a mark. */
const wholeLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ə: 'e',
};

const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Latin letters in their plain, lower-case form; other characters stay unchanged. */
export function foldLetters(text: string, spelling: Spelling): string {
  const lower = text.normalize('NFC').toLowerCase();
  const spelled =
    spelling === 'digraph' ? lower.replace(/[äöüøå]/g, (letter) => digraphs[letter] ?? letter) : lower;
  return spelled
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{ASCII}]/gu, (letter) => wholeLetters[letter] ?? letter);
}
