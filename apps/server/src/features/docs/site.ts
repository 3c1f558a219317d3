import { readFile } from 'node:fs/promises';
import type { Config } from '../../platform/config/index.ts';
import type { AssetPaths } from './docs-assets.ts';
import { type GuidePage, guidePages } from './guide-pages.ts';
import { fillIn, readGuideParts } from './guide-parts.ts';
import { markdownPathOf, renderLlmsText } from './llms.ts';
import { renderMarkdown } from './markdown.ts';
import { type Navigation, type Page, renderPage, SEARCH_PATH } from './page-layout.ts';
import { describeDocument } from './reference/describe-document.ts';
import { type OpenApiDocument, operationsOf, withoutCallsBehindFlag } from './reference/operations.ts';
import {
  type RecordedAnswers,
  referenceEntries,
  renderOverview,
  renderSection,
} from './reference/render-reference.ts';
import { REFERENCE_PATH, type ReferenceSection, referenceSections } from './reference/sections.ts';
import { createSearch, renderResults, type SearchEntry } from './search.ts';

type DocsConfig = Pick<Config, 'publicUrl' | 'http' | 'uploads' | 'webhooks' | 'sandbox' | 'stage'>;

/** The whole documentation, rendered. */
export interface Site {
  /** Pages by their path. */
  readonly pages: ReadonlyMap<string, string>;
  /** The texts of the guide by their path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly llmsText: string;
  /** For an address below /docs where there is nothing. */
  readonly notFoundPage: string;
  readonly document: OpenApiDocument;
  /** The page with the results for what a reader typed. */
  renderSearch(query: string): string;
}

/** Sections that only some readers see. */
interface Reader {
  /** Whether the reader has the flag `guessing_enabled`. */
  readonly hasGuessing: boolean;
}

/** The sections that a reader of this installation sees: Warm Up exists only in staging. */
export const sectionsFor = ({ hasGuessing }: Reader, { stage }: Pick<Config, 'stage'>): ReferenceSection[] =>
  referenceSections.filter(
    ({ title }) => (title !== 'Warm Up' || stage === 'staging') && (title !== 'Guessing' || hasGuessing),
  );

export const readGuideText = ({ file }: Pick<GuidePage, 'file'>): Promise<string> =>
  readFile(new URL(`./pages/${file}.md`, import.meta.url), 'utf8');

export async function buildSite(
  reader: Reader,
  config: DocsConfig,
  everyCall: OpenApiDocument,
  assets: AssetPaths,
): Promise<Site> {
  const answers = await readAnswers();
  const calls = reader.hasGuessing ? everyCall : withoutCallsBehindFlag(everyCall);
  const { document } = describeDocument(calls, answers);
  const operations = operationsOf(document);
  const audiences = new Set([
    ...(reader.hasGuessing ? ['guessing'] : []),
    ...(config.stage === 'staging' ? ['warm-up'] : []),
  ]);
  const parts = await readGuideParts(config, operations, audiences);
  const sections = sectionsFor(reader, config);
  const reference = {
    operations,
    sections,
    answers,
    api: `${config.publicUrl}/api`,
  };
  const guide = await Promise.all(
    guidePages.map(async (page) => {
      const text = fillIn(await readGuideText(page), parts);
      return { page, text, rendered: renderMarkdown(text) };
    }),
  );
  const introduction = fillIn(
    await readFile(new URL('./pages/reference.md', import.meta.url), 'utf8'),
    parts,
  );
  const pages: Page[] = [
    ...guide.map(({ page, rendered }) => ({ ...page, ...rendered })),
    renderOverview(reference, introduction),
    ...sections.map((section) => renderSection(section, reference)),
  ];
  const navigation: Navigation = [
    { title: 'Guide', links: guidePages },
    { title: 'Reference', links: [{ path: REFERENCE_PATH, title: 'All calls' }, ...sections] },
  ];
  const entries: SearchEntry[] = [
    ...guide.flatMap(({ page, rendered }) =>
      rendered.parts.map(({ id, title, text }) => ({
        url: `${page.path}${id && `#${id}`}`,
        page: page.title,
        title,
        text,
      })),
    ),
    ...referenceEntries(reference),
  ];
  const search = createSearch(entries);
  return {
    pages: new Map(pages.map((page) => [page.path, renderPage(page, navigation, assets)])),
    texts: new Map(guide.map(({ page, text }) => [markdownPathOf(page), text])),
    document,
    llmsText: renderLlmsText({ publicUrl: config.publicUrl, pages: guide, sections }),
    notFoundPage: renderPage(
      { path: '', title: 'Not found', html: notFoundHtml, headings: [] },
      navigation,
      assets,
    ),
    renderSearch: (query) => {
      const html = `<h1>Search</h1>\n${renderResults(search(query), query)}`;
      const page = { path: SEARCH_PATH, title: 'Search', html, headings: [] };
      return renderPage(page, navigation, assets, query);
    },
  };
}

const notFoundHtml = `<h1>Not found</h1>
<p>There is no page at this address. Search above, or start with the <a href="/docs">quick start</a> or the <a href="${REFERENCE_PATH}">reference</a>.</p>`;

const readAnswers = async (): Promise<RecordedAnswers> =>
  JSON.parse(await readFile(new URL('./reference/answers.json', import.meta.url), 'utf8'));
