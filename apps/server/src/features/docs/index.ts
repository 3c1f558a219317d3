export { registerDocs } from './docs.routes.ts';
export { readDocsAssets } from './docs-assets.ts';
export { registerOwnerCounts } from './owner-counts.routes.ts';
export { renderMessagePage, renderProblemPage } from './page-layout.ts';
