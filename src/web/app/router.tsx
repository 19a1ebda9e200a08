import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { Navigate, useLocation } from 'react-router';
import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { RequireAdmin, RequireLogin } from '../features/auth/require-login.tsx';
import { ErrorPage, PageNotLoaded } from './error-page.tsx';
import { NotFound } from './not-found.tsx';
import { Layout } from '../layout/layout.tsx';

/** A page in its own chunk, which loads in parallel with the user and the subscription. */
function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  const Component = () =>
    load().catch((cause: unknown): never => {
      throw new PageNotLoaded('the code of this page could not be loaded', { cause });
    });
  return { path, lazy: { Component } };
}

const privacyPolicy = async () => (await import('../features/legal/privacy-policy.tsx')).PrivacyPolicy;
const termsOfService = async () => (await import('../features/legal/terms-of-service.tsx')).TermsOfService;

/** Every page of the product. */
const pages: RouteObject[] = [
  page('/', async () => (await import('./home.tsx')).Home),
  page('/payment', async () => (await import('../features/billing/pricing.tsx')).Pricing),
  { path: '/dashboard', element: <ToHome /> },
  {
    element: <RequireLogin />,
    children: [
      page('/activity', async () => (await import('../features/activity/activity.tsx')).Activity),
      page(
        '/activity/:outageId',
        async () => (await import('../features/activity/outage-page.tsx')).OutagePage,
      ),
      page('/settings', async () => (await import('../features/settings/settings.tsx')).Settings),
      {
        element: <RequireAdmin />,
        children: [page('/admin', async () => (await import('../features/admin/admin.tsx')).Admin)],
      },
    ],
  },
  page('/billing/success', async () => (await import('../features/billing/checkout-done.tsx')).CheckoutDone),
  page(
    '/billing/canceled',
    async () => (await import('../features/billing/checkout-canceled.tsx')).CheckoutCanceled,
  ),
  page('/privacy-policy', privacyPolicy),
  page('/privacy', privacyPolicy),
  page('/terms-of-service', termsOfService),
  page('/terms', termsOfService),
  page(
    '/data-deletion/:code',
    async () => (await import('../features/account/data-deletion.tsx')).DataDeletion,
  ),
  { path: '*', element: <NotFound /> },
];

/** Redirects to home; query and fragment stay. */
function ToHome() {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: '/', search, hash }} replace />;
}

/** A page that fails shows its error inside the layout; a layout that fails is replaced. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <ErrorPage />,
    children: [{ errorElement: <ErrorPage />, hydrateFallbackElement: <PagePlaceholder />, children: pages }],
  },
];
