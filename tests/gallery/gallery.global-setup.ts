import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Comparison, changedMax, galleryFolder } from './pictures.ts';

/** Empties the folder, and at the end of the run writes its index and prints the comparison of the key screens. */
export default async function setup(): Promise<() => Promise<void>> {
  await rm(galleryFolder, { recursive: true, force: true });
  await mkdir(galleryFolder, { recursive: true });
  return async () => {
    const files = (await readdir(galleryFolder)).sort();
    const comparisons = await readComparisons(files);
    const pictures = files.filter((name) => name.endsWith('.png'));
    await writeFile(join(galleryFolder, 'index.html'), renderIndex(pictures, comparisons));
    if (comparisons.length > 0) console.log(`\n${comparisons.map(renderComparison).join('\n')}`);
    console.log(`\n${pictures.length} pictures: ${join(galleryFolder, 'index.html')}`);
  };
}

async function readComparisons(files: readonly string[]): Promise<Comparison[]> {
  const found = files.filter((name) => name.endsWith('.json'));
  return Promise.all(
    found.map(async (name) => JSON.parse(await readFile(join(galleryFolder, name), 'utf8'))),
  );
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

function renderComparison({ screen, width, changed, where }: Comparison): string {
  const verdict = changed > changedMax ? 'CHANGED' : 'same   ';
  const place = where === null ? '' : `, mostly at ${where}`;
  return `${verdict}  ${screen} at ${width} px: ${percent(changed)} of ${percent(changedMax)}${place}`;
}

function renderIndex(pictures: readonly string[], comparisons: readonly Comparison[]): string {
  const screenOf = (picture: string) => picture.replace(/-\d+-(?:light|dark)\.png$/, '');
  const screens = [...new Set(pictures.map(screenOf))];
  const sections = screens.map((screen) => {
    const lines = comparisons.filter((one) => one.screen === screen).map(renderComparison);
    const images = pictures
      .filter((picture) => screenOf(picture) === screen)
      .map((picture) => `<a href="${picture}"><img src="${picture}" alt="${picture}" loading="lazy"></a>`);
    return `<h2 id="${screen}">${screen}</h2><pre>${lines.join('\n')}</pre><div>${images.join('')}</div>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Gallery of Assay</title>
<style>
body { font-family: system-ui, sans-serif; margin: 1rem; background: #888; }
div { display: flex; flex-wrap: wrap; gap: 8px; align-items: start; }
img { height: 300px; display: block; }
</style>
<h1>Gallery of Assay</h1>
${sections.join('\n')}
</html>
`;
}
