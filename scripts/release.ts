// `npm run release -- VERSION`: gives every package that version, dates the changelog, commits and tags that, and packs an
// archive with the built web app. It publishes nothing.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packRelease, prepareRelease } from './lib/release.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version = ''] = process.argv.slice(2);
try {
  prepareRelease(root, version, new Date());
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  const archive = packRelease(root, version);
  console.log(`${archive} is ready. To publish it: git push --follow-tags`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
