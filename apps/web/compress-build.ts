import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = ['.css', '.html', '.js', '.svg'];
/** A shorter file fits into one packet anyway. */
const bytesMin = 1_024;

/** Compresses the build once, as far as it goes, so that the server never does it again for each visitor. */
export function compressBuild(): Plugin {
  let outDir = '';
  return {
    name: 'assay:compress-build',
    apply: 'build',
    configResolved: ({ root, build }) => {
      outDir = resolve(root, build.outDir);
    },
    // Not closeBundle, which also runs after a failed build and then hides its error.
    writeBundle: () => compressFolder(outDir),
  };
}

export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => compressible.includes(extname(name)));
  await Promise.all(texts.map((name) => compress(join(folder, name))));
}

async function compress(path: string): Promise<void> {
  const contents = await readFile(path);
  if (contents.length < bytesMin) return;
  const brotliOptions = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
    },
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(contents, brotliOptions));
  await writeFile(`${path}.gz`, await promisify(gzip)(contents, { level: constants.Z_BEST_COMPRESSION }));
}
