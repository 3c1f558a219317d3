// `npm run build`: installs missing packages and builds the web app, for a machine that runs `assay api` and `assay worker`.
import { ensureWebBuilt } from './lib/build-web.mjs';
import { ensureInstalled } from './lib/install.mjs';

await ensureInstalled();
await ensureWebBuilt();
