import { Marked } from 'marked';
import type { AssetPaths } from './guide-assets.ts';
import { type GuidePage, guidePages, REFERENCE_PATH } from './guide-pages.ts';
import type { GuideParts } from './guide-parts.ts';
import { assayMark } from './logo-and-verdict-marks.ts';

/** Replaces each `{{name}}`; throws for an unknown name. */
export function fillIn(text: string, parts: GuideParts): string {
  return text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no value for {{${name}}}.`);
    return part;
  });
}

/** Renders a page of the guide. The texts are our own, so their HTML is not escaped. */
export function renderGuidePage(page: GuidePage, text: string, assets: AssetPaths): string {
  return `<!doctype html>
<html lang="en">
<head>
${headOf(`${page.title} · Assay API`, assets)}
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="/docs">${assayMark}<span>Assay</span><span class="brand-part">API</span></a>
<a class="to-product" href="/">Open Assay</a>
</header>
<div class="frame">
<nav class="pages" aria-label="Documentation"><ul>${navigation(page)}</ul></nav>
<main id="content" tabindex="-1">
${markdown.parse(text) as string}
</main>
</div>
</body>
</html>
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

const headOf = (title: string, assets: AssetPaths): string => `<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.styles}">`;

const navigation = (current: GuidePage): string =>
  [...guidePages, { path: REFERENCE_PATH, title: 'Reference' }]
    .map(({ path, title }) => {
      const mark = path === current.path ? ' aria-current="page"' : '';
      return `<li><a href="${path}"${mark}>${title}</a></li>`;
    })
    .join('');

const languages: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  output: 'Prints',
};

const markdown: Marked = new Marked({
  renderer: {
    code({ text, lang = '' }) {
      const language = languages[lang.split(' ')[0] ?? ''];
      const caption = language ? `<figcaption>${language}</figcaption>` : '';
      // Wide blocks scroll, also with the keyboard.
      return `<figure class="code">${caption}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
    },
    heading({ tokens, depth, text }) {
      const words = this.parser.parseInline(tokens);
      return `<h${depth} id="${slugOf(text)}">${words}</h${depth}>\n`;
    },
  },
  hooks: {
    postprocess: (page) =>
      page
        .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
        .replaceAll('</table>', '</table></div>')
        .replaceAll('<th>', '<th scope="col">'),
  },
});

const slugOf = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
