import type { EventType } from '../wire.ts';
import type { ApiCall, Routes } from './call.ts';
import { catalogRoutes } from './catalog.ts';
import { customerRoutes } from './customers.ts';
import { hostedPageRoutes } from './hosted-pages.ts';
import { invoiceRoutes } from './invoices.ts';
import { listPage, matching } from './lists.ts';
import { paymentRoutes } from './payments.ts';
import { subscriptionRoutes } from './subscriptions.ts';

export const apiRoutes: Routes = {
  ...catalogRoutes,
  ...customerRoutes,
  ...hostedPageRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  'GET /v1/events': listEvents,
};

function listEvents({ world, params }: ApiCall) {
  const type = params.text('type') as EventType | undefined;
  return listPage(params, '/v1/events', world.store.all('event').filter(matching('type', type)));
}
