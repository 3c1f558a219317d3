import type { AssetPaths } from './docs-assets.ts';
import { escapeHtml } from './html.ts';
import { renderMessagePage } from './page-layout.ts';

export const OWNER_COUNTS_PATH = '/postmaster/counts';

/** What the page says about a domain. */
export type OwnerCounts =
  | { readonly kind: 'bad_domain' }
  | { readonly kind: 'not_looked_up' | 'not_proved'; readonly domain: string; readonly record: string }
  | {
      readonly kind: 'proved';
      readonly domain: string;
      readonly days: readonly { readonly date: string; readonly questions: number }[];
    };

export const ownerCountsForm = (domain = ''): string => `<form class="ask" action="${OWNER_COUNTS_PATH}">
<label for="domain">Domain</label>
<input id="domain" name="domain" value="${escapeHtml(domain)}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="253" required>
<button>Show</button>
</form>`;

/** How often we asked about a domain, for its owner. */
export const renderOwnerCountsPage = (counts: OwnerCounts, assets: AssetPaths): string =>
  renderMessagePage(
    'How often we ask about your domain',
    `${contentsOf(counts)}
${ownerCountsForm(counts.kind === 'bad_domain' ? '' : counts.domain)}
<p><a href="/postmaster">For postmasters</a></p>`,
    assets,
  );

function contentsOf(counts: OwnerCounts): string {
  if (counts.kind === 'bad_domain')
    return '<p>This is not a domain. Write it as in <code>example.com</code>.</p>';
  const domain = `<code>${escapeHtml(counts.domain)}</code>`;
  if (counts.kind === 'proved')
    return `<p>Questions about mailboxes at ${domain}, to the nearest ten.</p>${tableOf(counts.days)}`;
  const seen =
    counts.kind === 'not_proved'
      ? `We do not see it at ${domain} yet.`
      : `We could not look ${domain} up just now. Try again in a minute.`;
  return `<p>Only the owner of a domain may see this. To show that you are, publish this record; it also makes us count from now on.</p>
<figure class="code"><pre><code>${escapeHtml(counts.record)}</code></pre></figure>
<p role="status">${seen}</p>`;
}

function tableOf(days: readonly { readonly date: string; readonly questions: number }[]): string {
  if (days.length === 0)
    return '<p role="status">There is nothing to show yet. A day appears when the day after it is over.</p>';
  const rows = days.map(
    ({ date, questions }) => `<tr><th scope="row">${date}</th><td>${questions}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">Day (UTC)</th><th scope="col">Questions</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`;
}
