import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { Navigate, useLocation } from 'react-router';
import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { RequireAdmin, RequireLogin, ToLogin } from '../features/auth/require-login.tsx';
import { Layout } from '../layout/layout.tsx';
import { ErrorPage, NotFound } from './error-page.tsx';

/** A page in its own chunk, which loads in parallel with the user and the subscription. */
function page<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
  children: RouteObject[] = [],
): RouteObject {
  return { path, lazy: { Component: async () => (await load())[name] }, children };
}

const checkoutPages = () => import('../features/billing/checkout-pages.tsx');
const legal = () => import('../features/legal/legal.tsx');

/** Every page of the product. */
const pages: RouteObject[] = [
  page('/', 'Home', () => import('./home.tsx')),
  page('/payment', 'Pricing', () => import('../features/billing/pricing.tsx')),
  { path: '/dashboard', element: <Moved to="/" /> },
  { path: '/pricing', element: <Moved to="/payment" /> },
  { path: '/login', element: <ToLogin /> },
  {
    element: <RequireLogin />,
    children: [
      page('/activity', 'Activity', () => import('../features/activity/activity.tsx')),
      page('/activity/:outageId', 'OutagePage', () => import('../features/activity/outage-page.tsx')),
      page('/setup', 'Setup', () => import('../features/settings/setup.tsx')),
      page('/settings', 'Settings', () => import('../features/settings/settings.tsx'), [
        page('/settings', 'SmartPauseSettings', () => import('../features/settings/smartpause-settings.tsx')),
        page(
          '/settings/notifications',
          'Notifications',
          () => import('../features/settings/notifications.tsx'),
        ),
        page('/settings/billing', 'Billing', () => import('../features/billing/billing-section.tsx')),
        page(
          '/settings/account',
          'AccountSettings',
          () => import('../features/account/account-settings.tsx'),
        ),
      ]),
      {
        element: <RequireAdmin />,
        children: [page('/admin', 'Admin', () => import('../features/admin/admin.tsx'))],
      },
    ],
  },
  page('/billing/success', 'CheckoutDone', checkoutPages),
  page('/billing/canceled', 'CheckoutCanceled', checkoutPages),
  page('/privacy-policy', 'PrivacyPolicy', legal),
  page('/privacy', 'PrivacyPolicy', legal),
  page('/terms-of-service', 'TermsOfService', legal),
  page('/terms', 'TermsOfService', legal),
  page('/confirm-email', 'ConfirmEmail', () => import('../features/email/confirm-email.tsx')),
  page('/data-deletion/:code', 'DataDeletion', () => import('../features/account/data-deletion.tsx')),
  { path: '*', element: <NotFound /> },
];

/** Another address of a page; query and fragment stay. */
function Moved({ to }: { to: string }) {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: to, search, hash }} replace />;
}

/** A page that fails shows its error inside the layout; a layout that fails is replaced. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <ErrorPage />,
    children: [{ errorElement: <ErrorPage />, hydrateFallbackElement: <PagePlaceholder />, children: pages }],
  },
];
