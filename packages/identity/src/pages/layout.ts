import { documentOf, formSheet, type Html, html, publish, publishStyles } from '@assay/pages';
import { assayIcon, assayMark, verdictMark } from './marks.ts';

const styles = publishStyles('identity', [formSheet, new URL('./identity.css', import.meta.url)]);
const icon = publish('icon', 'svg', assayIcon);

export interface PageContent {
  title: string;
  /** What the page offers; its heading is drawn from the title. */
  body: Html;
  lead?: Html | string | undefined;
  /** An error also shows in the tab's title, which screen readers read first. */
  hasError?: boolean;
}

const verdicts = [
  { name: 'valid', word: 'Valid', meaning: 'the host takes this mailbox' },
  { name: 'invalid', word: 'Invalid', meaning: 'a definite, permanent no' },
  { name: 'catch-all', word: 'Catch all', meaning: 'the host takes anything' },
  { name: 'unknown', word: 'Unknown', meaning: 'no proof, no charge' },
] as const;

/** Every page of ours: the form on paper and, where there is room, the four marks beside it. */
export function page({ title, body, lead, hasError = false }: PageContent): string {
  return documentOf({
    title: `${hasError ? 'Error: ' : ''}${title} · Assay`,
    styles,
    icon,
    body: html`<div class="page">
  <main>
    <a class="brand" href="/" aria-label="Assay">${assayMark}<span>Assay</span></a>
    <div class="content">
      <h1>${title}</h1>
      ${lead ? html`<p class="lead">${lead}</p>` : ''}
      ${body}
    </div>
  </main>
  <aside aria-label="About Assay">
    <p class="motto">Four marks.<br>No guesses.</p>
    <ul class="verdicts">
      ${verdicts.map(
        ({ name, word, meaning }) =>
          html`<li>${verdictMark(name)}<span><strong>${word}</strong> ${meaning}</span></li>`,
      )}
    </ul>
    <p class="creed">Every address is tested at its own mail host, and every mark carries the evidence that earned it.</p>
  </aside>
</div>`,
  });
}
