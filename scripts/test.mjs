// `npm test`: installs what is missing and runs every check on the product's own Node.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureWebBuilt } from './lib/build-web.mjs';
import { ensureInstalled, productEnvironment, productNode, root } from './lib/install.mjs';

ensureInstalled();
ensureWebBuilt();

const { status } = spawnSync(productNode(), [join(root, 'scripts/run-checks.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: productEnvironment(),
  stdio: 'inherit',
});
process.exit(status ?? 1);
