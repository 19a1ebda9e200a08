import type { RouteObject } from 'react-router';
import { matchRoutes } from 'react-router';
import { AuthProvider } from './auth.tsx';
import { Layout } from './components/layout/layout.tsx';
import { RequireAdmin } from './components/layout/require-admin.tsx';
import { RequireLogin } from './components/layout/require-login.tsx';
import { ToHome } from './components/layout/to-home.tsx';
import { lazyPart } from './browser/lazy-part.ts';
import { ErrorPage } from './pages/error-page.tsx';
import { Home } from './pages/home.tsx';
import { NotFound } from './pages/not-found.tsx';
import { SubscriptionProvider } from './subscription.tsx';

const Pricing = lazyPart(async () => (await import('./pages/pricing/pricing.tsx')).Pricing);
const Settings = lazyPart(async () => (await import('./pages/settings/settings.tsx')).Settings);
const Admin = lazyPart(async () => (await import('./pages/admin/admin.tsx')).Admin);
const CheckoutDone = lazyPart(async () => (await import('./pages/billing/checkout-done.tsx')).CheckoutDone);
const CheckoutCanceled = lazyPart(
  async () => (await import('./pages/billing/checkout-canceled.tsx')).CheckoutCanceled,
);
const DataDeletion = lazyPart(
  async () => (await import('./pages/data-deletion/data-deletion.tsx')).DataDeletion,
);
const PrivacyPolicy = lazyPart(async () => (await import('./pages/legal/privacy-policy.tsx')).PrivacyPolicy);
const TermsOfService = lazyPart(
  async () => (await import('./pages/legal/terms-of-service.tsx')).TermsOfService,
);

/** Every page of the product; its `handle` begins to fetch it. */
const pages: RouteObject[] = [
  { path: '/', element: <Home /> },
  { path: '/payment', element: <Pricing />, handle: Pricing.preload },
  { path: '/dashboard', element: <ToHome /> },
  { path: '/settings', element: <RequireLogin page={<Settings />} />, handle: Settings.preload },
  { path: '/admin', element: <RequireAdmin page={<Admin />} />, handle: Admin.preload },
  { path: '/billing/success', element: <CheckoutDone />, handle: CheckoutDone.preload },
  { path: '/billing/canceled', element: <CheckoutCanceled />, handle: CheckoutCanceled.preload },
  { path: '/privacy-policy', element: <PrivacyPolicy />, handle: PrivacyPolicy.preload },
  { path: '/privacy', element: <PrivacyPolicy />, handle: PrivacyPolicy.preload },
  { path: '/terms-of-service', element: <TermsOfService />, handle: TermsOfService.preload },
  { path: '/terms', element: <TermsOfService />, handle: TermsOfService.preload },
  { path: '/data-deletion/:code', element: <DataDeletion />, handle: DataDeletion.preload },
  { path: '*', element: <NotFound /> },
];

/** Begins to fetch the page of this address, beside the questions who the user is and what they pay. */
export function preloadPage(path: string): void {
  const begin = matchRoutes(pages, path)?.at(-1)?.route.handle as (() => void) | undefined;
  begin?.();
}

/** What breaks in a page is said in its place, and what breaks around it in place of everything. */
export const routes: RouteObject[] = [
  {
    element: (
      <AuthProvider>
        <SubscriptionProvider>
          <Layout />
        </SubscriptionProvider>
      </AuthProvider>
    ),
    errorElement: <ErrorPage />,
    children: [{ errorElement: <ErrorPage />, children: pages }],
  },
];
