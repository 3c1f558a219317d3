import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assayIcon } from './marks.ts';

interface Asset {
  type: string;
  body: Buffer;
}

// The typeface that the product's own screens use.
const fontUrls = {
  latin: import.meta.resolve(
    '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2',
  ),
  latinExt: import.meta.resolve(
    '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-ext-wght-normal.woff2',
  ),
};

const assets = new Map<string, Asset>();

/** Named by content, so that a browser may keep it for ever. */
function publish(name: string, type: string, body: Buffer): string {
  const [stem, extension] = name.split('.');
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  const path = `/assets/${stem}-${digest}.${extension}`;
  assets.set(path, { type, body });
  return path;
}

const fontLatin = publish('plex-latin.woff2', 'font/woff2', readFileSync(fileURLToPath(fontUrls.latin)));
const fontLatinExt = publish(
  'plex-latin-ext.woff2',
  'font/woff2',
  readFileSync(fileURLToPath(fontUrls.latinExt)),
);
const styles = readFileSync(new URL('./identity.css', import.meta.url), 'utf8')
  .replace('plex-latin.woff2', fontLatin)
  .replace('plex-latin-ext.woff2', fontLatinExt);

export const assetPaths = {
  fontLatin,
  styles: publish('identity.css', 'text/css; charset=utf-8', Buffer.from(styles)),
  icon: publish('icon.svg', 'image/svg+xml', Buffer.from(assayIcon)),
};

export function findAsset(path: string): Asset | undefined {
  return assets.get(path);
}
