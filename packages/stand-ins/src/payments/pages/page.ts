import {
  type Answer,
  documentOf,
  formSheet,
  type Html,
  html,
  pageAnswer,
  publish,
  publishStyles,
  redirect,
} from '@assay/pages';
import type { Seconds } from '../clock.ts';
import { PaymentsError } from '../errors.ts';
import type { PageAccess } from '../store/tables.ts';
import { businessName, type World } from '../world.ts';

const styles = publishStyles('payments', [formSheet, new URL('./payments.css', import.meta.url)]);
const icon = publish(
  'payments',
  'svg',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#98481a"/><path d="M8 12h16M8 18h10" stroke="#fdfaf4" stroke-width="3"/></svg>',
);

/** A visit to a hosted page. `ids` are the parts of the path that vary; the first is the token that opens the page. */
export interface PageCall {
  world: World;
  ids: readonly string[];
  form: URLSearchParams;
}

type PageHandler = (call: PageCall) => Answer;
export type PageRoutes = Record<string, PageHandler>;

/**
 * A page for those who hold its token. With `act` it is what sending its form does: `act` returns the address that
 * follows, and when it fails nothing changes and the page shows the problem.
 */
export const pageOf =
  <Visit>(
    open: (call: PageCall) => Visit | undefined,
    show: (visit: Visit, problem?: PaymentsError) => Answer,
    act?: (visit: Visit) => string,
  ): PageHandler =>
  (call) => {
    const visit = open(call);
    if (visit === undefined) return gone();
    if (act === undefined) return show(visit);
    try {
      return redirect(call.world.store.transact(() => act(visit)));
    } catch (error) {
      if (error instanceof PaymentsError) return show(visit, error);
      throw error;
    }
  };

const portalSeconds = 60 * 60;

/** What the token opens, or undefined. The link to a portal dies, as the real one's does. */
export function openTarget({ world, ids }: PageCall, page: PageAccess['page']): string | undefined {
  const access = world.store.find('page', ids[0] ?? '');
  const isOver = page === 'portal' && world.clock.seconds() > (access?.created ?? 0) + portalSeconds;
  return access?.page === page && !isOver ? access.target : undefined;
}

export interface PageHead {
  title: string;
  /** Back to the product. */
  back?: { href: string | null; label: string };
  /** Where a form of this page may lead besides ourselves: browsers apply this to redirects too. */
  formTargets?: (string | null | undefined)[];
  problem?: PaymentsError | undefined;
  status?: number;
}

export function page({ title, back, formTargets = [], problem, status }: PageHead, body: Html): Answer {
  const document = documentOf({
    title: `${title} · ${businessName}`,
    styles,
    icon,
    body: html`<header>
<p><strong>${businessName}</strong> test payments: no card is charged and no money moves.</p>
${back?.href && html`<a href="${back.href}">${back.label} ${businessName}</a>`}
</header>
<main>
<h1>${title}</h1>
${problem && html`<p class="alert" role="alert">${problem.message} Nothing was changed and nothing was charged.</p>`}
${body}
</main>`,
  });
  return pageAnswer(document, { formTargets, status: problem?.status ?? status });
}

export const gone = (): Answer =>
  page(
    { title: 'This link has expired', status: 404 },
    html`<p>Go back to ${businessName} and open billing again for a new one.</p>`,
  );

export const factList = (rows: readonly (readonly [string, string])[]): Html =>
  html`<dl>${rows.map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>`)}</dl>`;

const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

export const formatDate = (moment: Seconds): string => dates.format(moment * 1000);
