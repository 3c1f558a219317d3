import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publish } from '../assets.ts';

// The typeface that the product's own screens use.
const fonts = {
  latin: import.meta.resolve(
    '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2',
  ),
  latinExt: import.meta.resolve(
    '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-ext-wght-normal.woff2',
  ),
};

const publishFont = (stem: string, url: string): string =>
  publish(stem, 'woff2', readFileSync(fileURLToPath(url)));

export const latinFont = publishFont('plex-latin', fonts.latin);
const latinExtFont = publishFont('plex-latin-ext', fonts.latinExt);

const read = (url: URL): string => readFileSync(url, 'utf8');

// By their names alone: they are beside the style sheet, wherever the pages are mounted.
const base = read(new URL('./base.css', import.meta.url))
  .replace('plex-latin.woff2', basename(latinFont))
  .replace('plex-latin-ext.woff2', basename(latinExtFont));

/** Sheets that only some pages need. */
export const formSheet = new URL('./form.css', import.meta.url);
export const providerSheet = new URL('./provider.css', import.meta.url);

/** The common look followed by these sheets, as one file. */
export const publishStyles = (stem: string, sheets: readonly URL[]): string =>
  publish(stem, 'css', [base, ...sheets.map(read)].join('\n'));
