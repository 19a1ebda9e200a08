import { catalogRoutes } from './catalog.ts';
import { checkoutSessionRoutes } from './checkout-sessions.ts';
import { customerRoutes } from './customers.ts';
import { portalRoutes } from './portal.ts';
import type { Route } from './route.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

export const ROUTES: readonly Route[] = [
  ...catalogRoutes,
  ...customerRoutes,
  ...checkoutSessionRoutes,
  ...subscriptionRoutes,
  ...portalRoutes,
  ...webhookEndpointRoutes,
];
