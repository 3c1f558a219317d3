import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface AssetPaths {
  readonly font: string;
  readonly styles: string;
  readonly script: string;
  /** Sets the colour scheme before the first paint. */
  readonly scheme: string;
  readonly icon: string;
}

const read = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));

// The typeface of the web app.
const fontUrls = {
  latin: import.meta.resolve(
    '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2',
  ),
  latinExt: import.meta.resolve(
    '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-ext-wght-normal.woff2',
  ),
};
const readFont = (name: keyof typeof fontUrls): Buffer => readFileSync(fileURLToPath(fontUrls[name]));

/** Named by its hash, so that browsers can cache it forever. */
function named(name: string, type: string, body: Buffer): Asset {
  const [stem, extension] = name.split('.');
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/docs/assets/${stem}-${digest}.${extension}`, type, body };
}

/** Style sheet, script, icon and fonts of the documentation, read once. */
export function readDocsAssets(): { paths: AssetPaths; assets: readonly Asset[] } {
  const font = named('plex-latin.woff2', 'font/woff2', readFont('latin'));
  const fontExt = named('plex-latin-ext.woff2', 'font/woff2', readFont('latinExt'));
  const css = read('docs.css')
    .toString('utf8')
    .replace('plex-latin.woff2', font.path)
    .replace('plex-latin-ext.woff2', fontExt.path);
  const styles = named('docs.css', 'text/css; charset=utf-8', Buffer.from(css));
  const script = named('docs.js', 'text/javascript; charset=utf-8', read('docs.js'));
  const scheme = named('scheme.js', 'text/javascript; charset=utf-8', read('scheme.js'));
  const icon = named('icon.svg', 'image/svg+xml', read('icon.svg'));
  return {
    paths: {
      font: font.path,
      styles: styles.path,
      script: script.path,
      scheme: scheme.path,
      icon: icon.path,
    },
    assets: [font, fontExt, styles, script, scheme, icon],
  };
}
