// `npm start` and `npm run dev`: installs missing packages, builds the web app and bundles the server when their sources changed, and
// hands over to `assay start` on the product's own Node. In development the sources run as they are.
import { join } from 'node:path';
import { ensureWebBuilt } from './lib/build-web.mjs';
import { ensureServerBundled } from './lib/bundle.mjs';
import { ensureInstalled, productEnvironment, productNode, root } from './lib/install.mjs';
import { runChild } from './lib/run-child.mjs';

const isDev = process.argv.includes('--dev');

await ensureInstalled();
if (!isDev) await ensureWebBuilt();
const command = isDev ? join(root, 'apps/server/bin/assay.mjs') : await ensureServerBundled();

const code = await runChild(
  productNode(),
  [command, 'start', ...process.argv.slice(2)],
  // The product stops when this channel closes, which it does even when we are killed.
  { cwd: root, env: productEnvironment(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);
process.exit(code);
