import type { Config } from '../../platform/config/index.ts';
import type { AssetPaths } from './docs-assets.ts';
import { escapeHtml } from './html.ts';
import { ownerCountsForm } from './owner-counts-page.ts';
import { renderMessagePage } from './page-layout.ts';

export const POSTMASTER_PATH = '/postmaster';

/** For people who run mail hosts and found us in their logs: who asks, why, from which addresses, and how to stop us. */
export function renderPostmasterPage(
  { publicUrl, verifier }: Pick<Config, 'publicUrl' | 'verifier'>,
  assets: AssetPaths,
): string {
  const host = new URL(publicUrl).hostname;
  const names = verifier.egresses.map(
    ({ helo, mailFrom, address }) =>
      `<li>We say <code>${escapeHtml(helo)}</code> in EHLO and <code>${escapeHtml(mailFrom)}</code> in <code>MAIL FROM</code>, and come from ${address === null ? 'the addresses of that name' : `<code>${escapeHtml(address)}</code>`}.</li>`,
  );
  const sender = verifier.egresses[0]?.mailFrom ?? '';
  const contact = `postmaster@${sender.slice(sender.lastIndexOf('@') + 1)}`;
  return renderMessagePage(
    'For postmasters',
    `<p>Your mail host has met us: ${escapeHtml(host)} runs Assay, which checks for its customers whether mail addresses exist. It connects, says
<code>MAIL FROM</code> and <code>RCPT TO</code>, reads the answer and leaves. It never sends a message, and it never says <code>DATA</code>.</p>

<h2>How to know us</h2>
<ul>
${names.join('\n')}
</ul>

<h2>How to stop us</h2>
<p>Publish a TXT record below your domain. To stop all questions about <code>example.com</code>:</p>
<figure class="code"><pre><code>_assay.example.com.  300  IN  TXT  "v=assay1; never"</code></pre></figure>
<p>To allow a hundred a day, over all our customers and all our addresses:</p>
<figure class="code"><pre><code>_assay.example.com.  300  IN  TXT  "v=assay1; limit=100/day"</code></pre></figure>
<ul>
<li>We read the record with your MX records, and again when its TTL is over: after a minute at the earliest and an hour at the latest.</li>
<li>The record counts for exactly this domain. Subdomains need records of their own.</li>
<li>Of several records the strictest counts. We ignore records that we do not understand.</li>
<li>If the lookup fails, the last answer counts.</li>
<li>A day is a day of UTC. Questions of our own, such as one about your postmaster, count too.</li>
</ul>
<p>Or let your host say so. If it answers with a 5xx code and words such as <code>please stop probing</code> or
<code>address verification is not allowed</code>, we leave the domain alone for 30 days.</p>

<h2>How often we ask</h2>
<p>You can see how many questions about mailboxes of your domain we asked, day by day and to the nearest ten, once a record shows that the domain
is yours. We count from the day on which we see the record.</p>
${ownerCountsForm()}

<h2>What we do by ourselves</h2>
<ul>
<li>Few connections at once to a host and to a provider, and fewer when you ask for it: we heed 421, 450 and 451, and the times that you name.</li>
<li>We stop before too many of the recipients that we ask you about are unknown, and we never ask about further ones to hide that.</li>
<li>We do not come back through another address after you refused us.</li>
</ul>

<h2>How to reach a person</h2>
<p>Write to <a href="mailto:${escapeHtml(contact)}">${escapeHtml(contact)}</a>. Tell us the domain, and we leave it alone at once.</p>`,
    assets,
  );
}
