// `npm test`: installs missing packages and runs every check on the product's own Node.
import { join } from 'node:path';
import { ensureWebBuilt } from './lib/build-web.mjs';
import { ensureInstalled, productEnvironment, productNode, root } from './lib/install.mjs';
import { runChild } from './lib/run-child.mjs';

await ensureInstalled();
await ensureWebBuilt();

const code = await runChild(productNode(), [join(root, 'scripts/run-checks.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: productEnvironment(),
  stdio: 'inherit',
});
process.exit(code);
