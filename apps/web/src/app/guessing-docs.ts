import { GUESSING_DOCS_COOKIE } from '@assay/contract';

/** Shows the calls of guessing in the reference at `/docs` to customers who may use them. */
export function showGuessingDocs(isShown: boolean): void {
  const { name, value, path } = GUESSING_DOCS_COOKIE;
  const security = location.protocol === 'https:' ? '; secure' : '';
  // Shown until the browser closes; the app sets it again on the next visit.
  const end = isShown ? '' : '; max-age=0';
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store exists only on secure origins
  document.cookie = `${name}=${value}; path=${path}; samesite=lax${security}${end}`;
}
