import { checkoutSessionRoutes } from './checkout-sessions.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './events.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { portalConfigurationRoutes } from './portal-configurations.ts';
import { portalSessionRoutes } from './portal-sessions.ts';
import { priceRoutes } from './prices.ts';
import { productRoutes } from './products.ts';
import type { Route } from './route.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

export const ROUTES: readonly Route[] = [
  ...productRoutes,
  ...priceRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...checkoutSessionRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...portalConfigurationRoutes,
  ...portalSessionRoutes,
  ...webhookEndpointRoutes,
  ...eventRoutes,
];
