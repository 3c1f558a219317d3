export { registerDocs } from './docs.routes.ts';
export { readDocsAssets } from './docs-assets.ts';
export { renderMessagePage } from './page-layout.ts';
