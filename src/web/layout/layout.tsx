import { Box } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { AuthProvider, useAuth } from '../features/auth/auth-provider.tsx';
import { SubscriptionProvider } from '../features/subscription/subscription-provider.tsx';
import { CONTENT_ID } from '../lib/native-menus.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageBanners } from './page-banners.tsx';

/** What all pages share: the user, the subscription, header and footer. */
export function Layout() {
  const isLoading = useNavigation().state === 'loading';
  return (
    <AuthProvider>
      <SubscriptionProvider>
        <Frame>
          <a href={`#${CONTENT_ID}`} className="skip">
            Skip to content
          </a>
          <Header />
          <Notices />
          <ConnectionNotice />
          <PageBanners />
          <Box component="main" id={CONTENT_ID} tabIndex={-1} aria-busy={isLoading} style={{ flex: 1 }}>
            <Outlet />
          </Box>
          <Footer />
          {/* Every visit by address has the key 'default', which must not mix up two pages. */}
          <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
        </Frame>
      </SubscriptionProvider>
    </AuthProvider>
  );
}

/** The pages of a user are as wide as a table can use. */
function Frame({ children }: { children: ReactNode }) {
  const isWide = useAuth().token !== null;
  return (
    <Box mih="100dvh" data-wide={isWide || undefined} style={{ display: 'flex', flexDirection: 'column' }}>
      {children}
    </Box>
  );
}

/** All belong to the user, also one of an action that ends after the logout. */
function Notices() {
  if (useAuth().token === null) return null;
  return (
    // Failures are gathered before the limit, so none waits where it is not seen.
    <Notifications
      withinPortal={false}
      position="bottom-right"
      autoClose={8000}
      limit={50}
      notificationMaxHeight="50dvh"
    />
  );
}
