import { type Answer, assetAnswer, html, type WebRequest } from '@assay/pages';
import { PaymentsError } from '../errors.ts';
import { createRouter } from '../http/routing.ts';
import type { World } from '../world.ts';
import { checkoutPages } from './checkout.ts';
import { invoicePages } from './invoice.ts';
import { gone, page } from './page.ts';
import { portalPages } from './portal.ts';

const route = createRouter({ ...portalPages, ...checkoutPages, ...invoicePages });

/** The hosted pages: portal, checkout and invoices, for the holder of the token in the address. */
export function answerPage(world: World, request: WebRequest): Answer {
  const asset = assetAnswer(request);
  if (asset !== undefined) return asset;
  const match = route(request.method, request.path);
  if (match === undefined) return gone();
  try {
    return match.handler({ world, ids: match.ids, form: new URLSearchParams(request.body) });
  } catch (error) {
    // An address of a missing object, or of another customer's, shows nothing.
    if (error instanceof PaymentsError) return gone();
    console.error('payments stand-in: a page failed', error);
    return page({ title: 'Something went wrong', status: 500 }, html`<p>Go back and try again.</p>`);
  }
}
