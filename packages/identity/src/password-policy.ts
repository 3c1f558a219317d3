export const passwordLengthMin = 8;
/** Far beyond any pass phrase; it only keeps a form from becoming a way to make the server hash megabytes. */
const passwordLengthMax = 256;

// What guessing programs try first. Compared without case and without other characters than letters at either end, so that
// Password1! is found by its core.
const obviousCores = new Set(
  `password passwort passw0rd p@ssw0rd p@ssword letmein welcome iloveyou changeme sunshine princess
  football baseball superman trustno whatever starwars admin qwerty qwertyui qwertyuiop qwertz azerty
  asdfgh asdfghjkl zxcvbnm abcdefgh qwertyuiopasdfghjkl abcd abc qweasdzxc monkey dragon master secret
  assay`.split(/\s+/),
);

/** Why this password will not do, in words for the person who typed it; undefined when it will. */
export function objectionToPassword(
  password: string,
  person: { email: string; firstName?: string; lastName?: string },
): string | undefined {
  const length = [...password].length;
  if (length === 0) return 'Password required';
  if (length < passwordLengthMin) {
    return `Use at least ${passwordLengthMin} characters. A few words in a row are easy to remember.`;
  }
  if (length > passwordLengthMax) return `Use no more than ${passwordLengthMax} characters.`;
  if (isObvious(password)) return 'That password is among the first that are guessed. Choose another.';
  if (namesPerson(password, person)) {
    return 'That password is too close to your name or address. Choose another.';
  }
  return undefined;
}

function isObvious(password: string): boolean {
  const plain = password.toLowerCase();
  const core = fromFirstToLastLetter(plain);
  return core === '' ? isDigitPattern(plain) : obviousCores.has(core) || isOneCharacter(plain);
}

function fromFirstToLastLetter(text: string): string {
  const characters = [...text];
  const isLetter = (character: string) => /\p{L}/u.test(character);
  const first = characters.findIndex(isLetter);
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
}

/** 11111111, 12345678, 87654321, 12341234 and dates: digits alone are guessed by counting. */
function isDigitPattern(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  return digits.length <= 10 || isOneCharacter(digits) || '01234567890123456789'.includes(digits);
}

function isOneCharacter(text: string): boolean {
  return new Set(text).size === 1;
}

function namesPerson(
  password: string,
  { email, firstName, lastName }: { email: string; firstName?: string; lastName?: string },
): boolean {
  const core = withoutEndDigits(lettersAndDigits(password));
  const local = withoutEndDigits(lettersAndDigits(email.split('@')[0] ?? ''));
  const first = lettersAndDigits(firstName ?? '');
  const last = lettersAndDigits(lastName ?? '');
  return [lettersAndDigits(email), local, first + last, last + first, first, last].some(
    (name) => name !== '' && name === core,
  );
}

function withoutEndDigits(text: string): string {
  let end = text.length;
  while (/^\d/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
