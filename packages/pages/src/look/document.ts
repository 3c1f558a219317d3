import { type Html, html } from '../html.ts';
import { latinFont } from './styles.ts';

export interface PageDocument {
  title: string;
  /** Paths of its style sheet and its icon. */
  styles: string;
  icon: string;
  className?: string;
  body: Html;
}

/** A whole HTML document. */
export function documentOf({ title, styles, icon, className = '', body }: PageDocument): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="preload" href="${latinFont}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${styles}">
</head>
<body class="${className}">
${body}
</body>
</html>`.text
  }\n`;
}
