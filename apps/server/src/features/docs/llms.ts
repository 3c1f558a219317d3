import type { GuidePage } from './guide-pages.ts';
import type { ReferenceSection } from './reference/sections.ts';

/** An overview of the documentation for language models, as https://llmstxt.org describes it. */
export function renderLlmsText(options: {
  readonly publicUrl: string;
  readonly pages: readonly { readonly page: GuidePage; readonly text: string }[];
  readonly sections: readonly ReferenceSection[];
}): string {
  const { publicUrl, pages, sections } = options;
  const guide = pages.map(
    ({ page, text }) => `- [${page.title}](${publicUrl}${markdownPathOf(page)}): ${firstSentenceOf(text)}`,
  );
  const reference = sections.map(({ path, title }) => `- [${title}](${publicUrl}${path})`);
  return `# Assay API

> Verify email addresses, one at a time or in lists, and pay in credits. Programs send an API key as \`x-api-key\` or \`Authorization: Bearer\` to ${publicUrl}/api.

## Guide

${guide.join('\n')}

## Reference

- [OpenAPI document](${publicUrl}/docs/openapi.json): every call with its fields
${reference.join('\n')}
`;
}

export const markdownPathOf = ({ file }: GuidePage): string => `/docs/${file}.md`;

function firstSentenceOf(text: string): string {
  const paragraph = text.split('\n\n')[1]?.replaceAll('\n', ' ') ?? '';
  const plain = paragraph.replaceAll(/\]\([^()]*\)|[[`*]/g, '');
  const end = plain.search(/[.:](?: |$)/);
  return end < 0 ? plain : `${plain.slice(0, end)}.`;
}
