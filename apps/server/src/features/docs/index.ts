export { registerGuide } from './docs.routes.ts';
export { REFERENCE_PATH } from './guide-pages.ts';
