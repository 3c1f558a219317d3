import { createRequire } from 'node:module';

/** The typeface that the product's own screens use, as a file to serve. */
export const typefacePath = createRequire(import.meta.url).resolve(
  '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2',
);
