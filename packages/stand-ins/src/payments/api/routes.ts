import { listing, type Routes } from './call.ts';
import { catalogRoutes } from './catalog.ts';
import { customerRoutes } from './customers.ts';
import { hostedPageRoutes } from './hosted-pages.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentRoutes } from './payments.ts';
import { subscriptionRoutes } from './subscriptions.ts';

export const apiRoutes: Routes = {
  ...catalogRoutes,
  ...customerRoutes,
  ...hostedPageRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  'GET /v1/events': listing('event', 'type'),
};
