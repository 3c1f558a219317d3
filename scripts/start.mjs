// `npm start` and `npm run dev`: installs missing packages, builds the web app when its sources changed, and hands over
// to `assay start` on the product's own Node.
import { join } from 'node:path';
import { ensureWebBuilt } from './lib/build-web.mjs';
import { ensureInstalled, productEnvironment, productNode, root } from './lib/install.mjs';
import { runChild } from './lib/run-child.mjs';

const isDev = process.argv.includes('--dev');

await ensureInstalled();
if (!isDev) await ensureWebBuilt();

const code = await runChild(
  productNode(),
  [join(root, 'apps/server/bin/assay.mjs'), 'start', ...process.argv.slice(2)],
  // The product stops when this channel closes, which it does even when we are killed.
  { cwd: root, env: productEnvironment(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);
process.exit(code);
