import type { Answer } from '@assay/pages';
import { html } from '@assay/pages';
import { PaymentsError } from '../errors.ts';
import type { PageAccess } from '../store/tables.ts';
import { businessName, type World } from '../world.ts';
import { page } from './page.ts';

/** A visit to a hosted page. */
export interface PageCall {
  world: World;
  ids: readonly string[];
  query: URLSearchParams;
  form: URLSearchParams;
}

export type PageHandler = (call: PageCall) => Answer;
export type PageRoutes = Record<string, PageHandler>;

/** What went wrong with a form, for its page to show. */
export interface FormProblem {
  message: string;
  status: number;
}

/** Carries out what a form asks for. When that fails, nothing changes and the form shows the problem. */
export function submit(
  call: PageCall,
  act: () => Answer,
  showAgain: (problem: FormProblem) => Answer,
): Answer {
  try {
    return call.world.store.transact(act);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    return showAgain({ message: error.message, status: error.status });
  }
}

const unusedSeconds = 5 * 60;
const idleSeconds = 60 * 60;

/** The page that this token opens, or undefined. A portal's link dies when it is not used, as the real one's does. */
export function openPage(call: PageCall, kind: PageAccess['page']): PageAccess | undefined {
  const { store, clock } = call.world;
  const access = store.find('page', call.ids[0] ?? '');
  if (access === undefined || access.page !== kind) return undefined;
  if (kind !== 'portal') return access;

  const now = clock.seconds();
  const isFresh =
    access.lastUsed === null ? now - access.created <= unusedSeconds : now - access.lastUsed <= idleSeconds;
  if (!isFresh) return undefined;
  const used = { ...access, lastUsed: now };
  store.put('page', used);
  return used;
}

export function gone(): Answer {
  return page(
    { title: 'Link expired', status: 404 },
    html`<h1>This link has expired</h1>
<p class="lead">Go back to ${businessName} and open billing again for a new one.</p>`,
  );
}

export function broken(): Answer {
  return page(
    { title: 'Something went wrong', status: 500 },
    html`<h1>Something went wrong</h1>
<p class="lead">Nothing was changed. Go back and try again.</p>`,
  );
}
