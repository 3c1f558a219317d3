// `npm run release -- VERSION --key FILE`: gives every package that version, dates the changelog, commits and tags that, and packs and
// signs the artefacts in `release/VERSION`. It publishes nothing. `--tree FOLDER` only writes what the artefacts hold, for an image; with
// `--without-node` for `npm start`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packRelease, prepareRelease, readSigningKey } from './lib/release.ts';
import { type Processor, writeReleaseTree } from './lib/release-tree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, tree: { type: 'string' }, 'without-node': { type: 'boolean' } },
});
try {
  if (values.tree === undefined) await release(positionals[0] ?? '', values.key);
  else
    await writeReleaseTree(root, values.tree, {
      commit: process.env.ASSAY_COMMIT || undefined,
      processor: values['without-node'] ? null : (process.arch as Processor),
    });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function release(version: string, keyFile: string | undefined): Promise<void> {
  if (keyFile === undefined)
    throw new Error(
      'Name the key that signs: --key FILE. `openssl genpkey -algorithm ed25519 -out FILE` makes one.',
    );
  // Before anything is tagged.
  const key = readSigningKey(keyFile);
  prepareRelease(root, version, new Date());
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  const folder = join(root, 'release', version);
  const { skipped, failed } = await packRelease(root, { folder, version, key });
  for (const sentence of [...skipped, ...failed]) console.log(sentence);
  if (failed.length > 0)
    throw new Error(
      `${folder} is not complete. Before you try again, delete it, the tag v${version} and the last commit.`,
    );
  console.log(`${folder} is ready. To publish it: git push --follow-tags, and upload the files.`);
}
