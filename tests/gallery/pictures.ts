import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { barFont } from './bar-font.ts';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Ignored by git. */
export const galleryFolder = pathOf('../../coverage/gallery');
const acceptedFolder = pathOf('./accepted');
const imagesFolder = pathOf('../../docs/images');

/** Set to accept the key screens as they are now, and to take the README's pictures. */
const isAccepting = process.env.GALLERY_ACCEPT !== undefined;

/** Set to the name of a font to see that the comparison does not depend on it. */
const otherFont = process.env.GALLERY_FONT;

const schemes = ['light', 'dark'] as const;
const heights = { 320: 700, 390: 844, 768: 1_024, 1280: 800, 1440: 900 } as const;
type Width = keyof typeof heights;
const everyWidth: readonly Width[] = [320, 390, 768, 1280, 1440];

/** Compared at the widths of a phone and of a desktop. */
const comparedWidths: readonly Width[] = [390, 1440];
/** In pixels. */
const cellSize = 10;
/** The mean colours of two cells may differ by this much of 255, because browsers draw edges a little differently. */
const tolerance = 6;
/** The share of cells that may differ by more. The smallest button has more cells. */
export const changedMax = 0.001;

export interface Comparison {
  readonly screen: string;
  readonly width: number;
  /** The share of cells that differ. */
  readonly changed: number;
  /** Where most of them are; null if there are none. */
  readonly where: string | null;
}

/** Takes pictures of the screen that a page shows, at every width in both colour schemes. */
export async function takePictures(page: Page, screen: string, widths = everyWidth): Promise<void> {
  await page.bringToFront();
  // What is above the page covers only the window.
  const isCovered = await page.locator('[role=dialog], [role=menu]').first().isVisible();
  for (const width of widths) {
    for (const scheme of schemes) {
      await show(page, width, scheme);
      await page.evaluate(scrollToMenu);
      const path = join(galleryFolder, `${screen}-${width}-${scheme}.png`);
      await page.screenshot({ path, fullPage: !isCovered });
    }
  }
}

/**
 * Takes pictures of a key screen, and compares its layout and colours with those that were accepted. For that, every letter
 * is a bar of the same width, so that the fonts of a machine, dates and names do not matter.
 */
export async function takeKeyPictures(page: Page, screen: string): Promise<void> {
  await takePictures(page, screen);
  const comparisons = [];
  for (const width of comparedWidths) comparisons.push(await compare(page, screen, width));
  const changed = comparisons.filter((one) => one.changed > changedMax);
  expect(changed, 'the key screens that look different; GALLERY_ACCEPT=1 accepts them').toEqual([]);
}

async function compare(page: Page, screen: string, width: Width): Promise<Comparison> {
  await show(page, width, 'light');
  await page.evaluate(loadBarFont);
  await page.evaluate(useFont(barFontName));
  await page.evaluate(settled);
  const picture = await page.screenshot();
  await page.evaluate(otherFont === undefined ? useOwnFonts : useFont(otherFont));
  const acceptedPath = join(acceptedFolder, `${screen}-${width}.png`);
  if (isAccepting) {
    await mkdir(acceptedFolder, { recursive: true });
    const { reduced } = await compareInPage(page, picture, null);
    await writeFile(acceptedPath, reduced, 'base64');
  }
  const { changed, where } = await compareInPage(page, picture, await readFile(acceptedPath));
  const comparison: Comparison = { screen, width, changed, where };
  await writeFile(join(galleryFolder, `${screen}-${width}.json`), JSON.stringify(comparison));
  return comparison;
}

async function compareInPage(page: Page, picture: Buffer, accepted: Buffer | null) {
  const blank = await page.context().newPage();
  try {
    await blank.addScriptTag({ path: pathOf('./compare-in-page.js') });
    const options = {
      picture: picture.toString('base64'),
      accepted: accepted?.toString('base64') ?? null,
      cellSize,
      tolerance,
    };
    return await blank.evaluate<{ reduced: string; changed: number; where: string | null }>(
      `comparePictures(${JSON.stringify(options)})`,
    );
  } finally {
    await blank.close();
    await page.bringToFront();
  }
}

/** The README shows the picture of the reader's colour scheme. */
export async function takeReadmePictures(page: Page): Promise<void> {
  if (!isAccepting) return;
  for (const scheme of schemes) {
    await show(page, 1440, scheme);
    await page.screenshot({ path: join(imagesFolder, `assay-${scheme}.png`) });
  }
}

/** An open menu is hidden while its button is out of sight. */
const scrollToMenu = `(async () => {
  document.querySelector('[aria-haspopup="menu"][aria-expanded="true"]')?.scrollIntoView({ block: 'center' });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
})()`;

const settled = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished),
).then(() => document.fonts.ready)
 .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
 .then(() => undefined)`;

const barFontName = 'Gallery Bars';
/** From bytes, because the content-security policy refuses fonts from elsewhere. */
const loadBarFont = `(async () => {
  const bytes = Uint8Array.from(atob('${barFont().toString('base64')}'), (character) => character.charCodeAt(0));
  document.fonts.add(await new FontFace('${barFontName}', bytes, { weight: '1 1000' }).load());
})()`;

/** A constructed stylesheet, because the policy refuses style elements too. */
const useFont = (font: string) => `{
  const sheet = new CSSStyleSheet();
  const name = ${JSON.stringify(JSON.stringify(font))};
  sheet.replaceSync('*, ::before, ::after, ::placeholder { font-family: ' + name + ' !important; }');
  document.adoptedStyleSheets = [sheet];
}`;
const useOwnFonts = 'document.adoptedStyleSheets = []; undefined';

async function show(page: Page, width: Width, colorScheme: (typeof schemes)[number]): Promise<void> {
  await page.setViewportSize({ width, height: heights[width] });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  if (otherFont !== undefined) await page.evaluate(useFont(otherFont));
  // The first look makes the browser apply the changes, the second waits for what they start.
  await page.evaluate(settled);
  await page.evaluate(settled);
}
