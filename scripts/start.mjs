// `npm start` and `npm run dev`: installs what is missing, builds the web app when its sources changed, and hands over
// to `assay start` on the product's own Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureWebBuilt } from './lib/build-web.mjs';
import { ensureInstalled, productEnvironment, productNode, root } from './lib/install.mjs';

const isDev = process.argv.includes('--dev');

ensureInstalled();
if (!isDev) ensureWebBuilt();

const product = spawn(
  productNode(),
  [join(root, 'apps/server/bin/assay.mjs'), 'start', ...process.argv.slice(2)],
  { cwd: root, env: productEnvironment(), stdio: 'inherit' },
);

// Signals may reach this process alone; passed on, they do no harm where the product has had them already.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => product.kill(signal));
product.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
