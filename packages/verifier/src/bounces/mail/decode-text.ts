/** Text of a body: bytes as Latin-1 in, characters out. */
export function decodeBody(body: string, encoding: string, charset: string): string {
  return decodeBytes(bytesOf(body, encoding), charset).replaceAll('\r\n', '\n');
}

const encodedWord = /=\?([\w-]{1,40})(?:\*[\w-]{1,40})?\?([bq])\?([^?\s]{0,1000})\?=/gi;
const betweenEncodedWords = /\?=\s{1,10}=\?/g;

/** Decodes the encoded words (RFC 2047) of a header. */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return toText(value);
  const joined = value.replace(betweenEncodedWords, '?==?');
  return toText(joined).replace(encodedWord, (_, charset: string, kind: string, word: string) =>
    decodeBytes(
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64')
        : bytesOf(word.replaceAll('_', ' '), 'quoted-printable'),
      charset,
    ),
  );
}

/** The bytes of a body, by its `Content-Transfer-Encoding`. */
export function bytesOf(body: string, transferEncoding: string): Buffer {
  const encoding = transferEncoding.trim().toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const unwrapped = body.replaceAll('=\n', '');
  const decoded = unwrapped.replace(/=([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** By the named encoding; without a good one, UTF-8 if it is valid and Latin-1 otherwise. */
function decodeBytes(bytes: Buffer, charset: string): string {
  const isNamed = charset !== '' && !/^(?:us-)?ascii$|^utf-?8$|^iso-8859-1$/i.test(charset);
  const decoder = isNamed ? decoderOf(charset) : undefined;
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

function decoderOf(charset: string): typeof strictUtf8 | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

const toText = (latin1: string): string => decodeBytes(Buffer.from(latin1, 'latin1'), '');
