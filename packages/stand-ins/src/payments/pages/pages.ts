import type { Answer, WebRequest } from '@assay/pages';
import { assetAnswer } from '@assay/pages';
import { PaymentsError } from '../errors.ts';
import { createRouter } from '../http/routing.ts';
import type { World } from '../world.ts';
import { broken, gone, type PageRoutes } from './call.ts';
import { checkoutPages } from './checkout.ts';
import { invoicePages } from './invoice.ts';
import { portalPages } from './portal/portal.ts';

const pageRoutes: PageRoutes = { ...portalPages, ...checkoutPages, ...invoicePages };

/** The hosted pages: portal, checkout and invoices, for the holder of the token in the address. */
export function createPages(world: World) {
  const route = createRouter(pageRoutes);
  return (request: WebRequest): Answer => {
    const asset = assetAnswer(request);
    if (asset !== undefined) return asset;
    const match = route(request.method, request.path);
    if (match === undefined) return gone();
    try {
      return match.handler({
        world,
        ids: match.ids,
        query: new URLSearchParams(request.query),
        form: new URLSearchParams(request.body),
      });
    } catch (error) {
      // An address of a missing object, or of another customer's, shows nothing.
      if (error instanceof PaymentsError) return gone();
      console.error('payments stand-in: a page failed', error);
      return broken();
    }
  };
}
