import type { RouteObject } from 'react-router';
import { Navigate } from 'react-router';
import { Layout } from './components/layout.tsx';
import { RequireAdmin } from './components/require-admin.tsx';
import { RequireLogin } from './components/require-login.tsx';
import { Admin } from './pages/admin/admin.tsx';
import { CheckoutCanceled } from './pages/billing/checkout-canceled.tsx';
import { CheckoutDone } from './pages/billing/checkout-done.tsx';
import { DataDeletion } from './pages/data-deletion/data-deletion.tsx';
import { ErrorPage } from './pages/error-page.tsx';
import { Home } from './pages/home.tsx';
import { PrivacyPolicy, TermsOfService } from './pages/legal.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Pricing } from './pages/pricing/pricing.tsx';
import { Settings } from './pages/settings/settings.tsx';
import { SessionProvider } from './session.tsx';
import { SubscriptionProvider } from './subscription.tsx';

/** Every page of the product. */
const pages: RouteObject[] = [
  { path: '/', element: <Home /> },
  { path: '/payment', element: <Pricing /> },
  { path: '/dashboard', element: <Navigate to="/" replace /> },
  { path: '/settings', element: <RequireLogin page={<Settings />} /> },
  { path: '/admin', element: <RequireAdmin page={<Admin />} /> },
  { path: '/billing/success', element: <CheckoutDone /> },
  { path: '/billing/canceled', element: <CheckoutCanceled /> },
  { path: '/privacy-policy', element: <PrivacyPolicy /> },
  { path: '/privacy', element: <PrivacyPolicy /> },
  { path: '/terms-of-service', element: <TermsOfService /> },
  { path: '/terms', element: <TermsOfService /> },
  { path: '/data-deletion/:code', element: <DataDeletion /> },
  { path: '*', element: <NotFound /> },
];

/** What breaks in a page is said in its place, and what breaks around it in place of everything. */
export const routes: RouteObject[] = [
  {
    element: (
      <SessionProvider>
        <SubscriptionProvider>
          <Layout />
        </SubscriptionProvider>
      </SessionProvider>
    ),
    errorElement: <ErrorPage />,
    children: [{ errorElement: <ErrorPage />, children: pages }],
  },
];
