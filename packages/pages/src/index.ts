export { assetAnswer, findAsset, keptForEver, publish } from './assets.ts';
export { Html, html } from './html.ts';
export { documentOf } from './look/document.ts';
export { googleGlyph } from './look/glyphs.ts';
export { initialOf, personOf, providerPage } from './look/provider-page.ts';
export { formSheet, providerSheet, publishStyles } from './look/styles.ts';
export { pageAnswer, redirect } from './page.ts';
export { type Answer, listen, type WebRequest } from './server.ts';
