import type { AssetPaths } from './docs-assets.ts';
import { escapeHtml } from './html.ts';
import { assayMark } from './logo-and-verdict-marks.ts';
import type { Heading } from './markdown.ts';

interface Link {
  readonly path: string;
  readonly title: string;
}

/** The links of the navigation, in named groups. */
export type Navigation = readonly { readonly title: string; readonly links: readonly Link[] }[];

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

export const SEARCH_PATH = '/docs/search';
export const QUERY_LENGTH_MAX = 100;

/** A whole page of the documentation. `query` is what the reader searched for. */
export function renderPage(page: Page, navigation: Navigation, assets: AssetPaths, query = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
${headOf(`${escapeHtml(page.title)} · Assay API`, assets)}
<script src="${assets.scheme}"></script>
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button class="menu-button" type="button" popovertarget="pages">Menu</button>
<a class="brand" href="/docs">${assayMark}<span>Assay</span><span class="brand-part">API</span></a>
<form class="search" role="search" action="${SEARCH_PATH}">
<input type="search" name="q" value="${escapeHtml(query)}" maxlength="${QUERY_LENGTH_MAX}" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false">
</form>
<label class="scheme" hidden><span class="unseen">Colour scheme</span><select><option value="auto">System</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
<a class="to-product" href="/">Open Assay</a>
</header>
<div class="frame">
<nav class="pages" id="pages" popover aria-label="Documentation">${navigation.map((group) => renderGroup(group, page.path)).join('')}</nav>
<main id="content" tabindex="-1">
${page.html}
</main>
${renderContents(page.headings)}</div>
</body>
</html>
`;
}

function renderGroup({ title, links }: Navigation[number], current: string): string {
  const items = links.map(({ path, title: name }) => {
    const mark = path === current ? ' aria-current="page"' : '';
    return `<li><a href="${path}"${mark}>${escapeHtml(name)}</a></li>`;
  });
  return `<p>${title}</p><ul>${items.join('')}</ul>`;
}

/** 'On this page': beside the text if there is room, else behind a button. */
function renderContents(headings: readonly Heading[]): string {
  if (headings.length < 2) return '';
  const items = headings.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<button class="contents-button" type="button" popovertarget="contents">On this page</button>
<nav class="contents" id="contents" popover aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>
`;
}

/** A page with one message, for people who follow a link of a mail. */
export const renderMessagePage = (
  title: string,
  contents: string,
  assets: AssetPaths,
): string => `<!doctype html>
<html lang="en">
<head>
${headOf(`${title} · Assay`, assets)}
<script src="${assets.scheme}"></script>
</head>
<body>
<header class="top"><a class="brand" href="/">${assayMark}<span>Assay</span></a></header>
<main class="message">
<h1>${title}</h1>
${contents}
</main>
</body>
</html>
`;

/** In place of a refusal, for people who follow a link that does not work. */
export const renderProblemPage = (
  { text, traceId }: { readonly text: string; readonly traceId: string },
  assets: AssetPaths,
): string =>
  renderMessagePage(
    'This did not work',
    `<p>${escapeHtml(text)}</p>
<p><a href="/">Open Assay</a></p>
<p><small>If you ask us about it, tell us this number: <code>${escapeHtml(traceId)}</code></small></p>`,
    assets,
  );

const headOf = (title: string, assets: AssetPaths): string => `<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.styles}">`;
