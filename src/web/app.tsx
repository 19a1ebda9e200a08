import type { RouteObject } from 'react-router';
import { Navigate, matchRoutes, useLocation } from 'react-router';
import { AuthProvider } from './auth.tsx';
import { Layout } from './components/layout/layout.tsx';
import { RequireAdmin, RequireLogin } from './components/layout/require-login.tsx';
import type { LazyPart } from './browser/lazy-part.ts';
import { lazyPart } from './browser/lazy-part.ts';
import { ErrorPage } from './pages/error-page.tsx';
import { Home } from './pages/home.tsx';
import { NotFound } from './pages/not-found.tsx';
import { SubscriptionProvider } from './subscription.tsx';

const Pricing = lazyPart(async () => (await import('./pages/pricing/pricing.tsx')).Pricing);
const Settings = lazyPart(async () => (await import('./pages/settings/settings.tsx')).Settings);
const Activity = lazyPart(async () => (await import('./pages/activity/activity.tsx')).Activity);
const OutagePage = lazyPart(async () => (await import('./pages/activity/outage-page.tsx')).OutagePage);
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

/** A page in its own chunk; `handle` starts the preload. */
function lazyPage(path: string, Page: LazyPart<object>, element = <Page />): RouteObject {
  return { path, element, handle: Page.preload };
}

/** Every page of the product. */
const pages: RouteObject[] = [
  { path: '/', element: <Home /> },
  lazyPage('/payment', Pricing),
  { path: '/dashboard', element: <ToHome /> },
  lazyPage('/activity', Activity, <RequireLogin page={<Activity />} />),
  lazyPage('/activity/:outageId', OutagePage, <RequireLogin page={<OutagePage />} />),
  lazyPage('/settings', Settings, <RequireLogin page={<Settings />} />),
  lazyPage('/admin', Admin, <RequireAdmin page={<Admin />} />),
  lazyPage('/billing/success', CheckoutDone),
  lazyPage('/billing/canceled', CheckoutCanceled),
  lazyPage('/privacy-policy', PrivacyPolicy),
  lazyPage('/privacy', PrivacyPolicy),
  lazyPage('/terms-of-service', TermsOfService),
  lazyPage('/terms', TermsOfService),
  lazyPage('/data-deletion/:code', DataDeletion),
  { path: '*', element: <NotFound /> },
];

/** Redirects to home; query and fragment stay. */
function ToHome() {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: '/', search, hash }} replace />;
}

/** Preloads the page of this address, in parallel with the requests for user and subscription. */
export function preloadPage(path: string): void {
  const begin = matchRoutes(pages, path)?.at(-1)?.route.handle as (() => void) | undefined;
  begin?.();
}

/** A page that fails shows its error inside the layout; a layout that fails is replaced. */
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
