import type { Routes } from './call.ts';
import { catalogRoutes } from './catalog.ts';
import { checkoutRoutes } from './checkout-sessions.ts';
import { customerRoutes } from './customers.ts';
import { disputeRoutes } from './disputes.ts';
import { invoiceRoutes } from './invoices.ts';
import { notificationRoutes } from './notifications.ts';
import { paymentRoutes } from './payments.ts';
import { portalConfigurationRoutes } from './portal-configurations.ts';
import { portalSessionRoutes } from './portal-sessions.ts';
import { scheduleRoutes } from './schedules.ts';
import { subscriptionRoutes } from './subscriptions.ts';

export const apiRoutes: Routes = {
  ...catalogRoutes,
  ...checkoutRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...invoiceRoutes,
  ...notificationRoutes,
  ...paymentRoutes,
  ...portalConfigurationRoutes,
  ...portalSessionRoutes,
  ...scheduleRoutes,
  ...subscriptionRoutes,
};
