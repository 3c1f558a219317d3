export { registerGuide } from './docs.routes.ts';
export { readGuideAssets } from './guide-assets.ts';
export { REFERENCE_PATH } from './guide-pages.ts';
export { renderMessagePage } from './render-guide.ts';
