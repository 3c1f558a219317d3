// Only a place to resolve paths against; `.invalid` can never be a real host.
const OWN_ORIGIN = 'https://own.invalid';

// More layers of percent-encoding than anyone writes in good faith.
const DECODING_LAYERS_MAX = 5;

/**
 * The page that `source_url` (or the `to` of `/redirect`) names, or null if it is anything but a path of our own origin.
 * Takes the value as the query string gives it, decoded once. Whatever a later reader might decode out of it is checked
 * too, so that a path which is harmless here cannot become another host there.
 */
export function safeSourceUrl(value: string | null): string | null {
  if (value === null) return null;
  const path = value.startsWith('/') ? value : decodeOnce(value);
  if (path === null || !isEveryLayerOwnPath(path)) return null;

  const url = new URL(path, OWN_ORIGIN);
  return `${url.pathname}${url.search}${url.hash}`;
}

function isEveryLayerOwnPath(path: string): boolean {
  let layer = path;
  for (let count = 0; count < DECODING_LAYERS_MAX; count += 1) {
    if (!isOwnPath(layer)) return false;
    const decoded = decodeAscii(layer);
    if (decoded === layer) return true;
    layer = decoded;
  }
  return false;
}

function isOwnPath(path: string): boolean {
  if (!path.startsWith('/') || hasControlCharacter(path)) return false;
  // Browsers read a backslash as a slash, in the path only; elsewhere it is an ordinary character.
  if (pathPartOf(path).includes('\\')) return false;
  // `//` and `//[` are no address at all.
  const url = URL.parse(path, OWN_ORIGIN);
  // Looked at after dot segments are gone: `/.//host` becomes `//host`.
  return url?.origin === OWN_ORIGIN && !url.pathname.startsWith('//') && !path.startsWith('//');
}

const pathPartOf = (path: string): string => path.split(/[?#]/, 1)[0] ?? '';

// Browsers drop tabs and line breaks out of addresses, so that '/\t/host' would be '//host'.
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 || (code >= 0x7f && code <= 0x9f);
  });
}

// What could make a path another host is all ASCII. Unlike decodeURIComponent this takes a malformed text too, as a
// lenient reader would.
const decodeAscii = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
