import { Anchor, Box } from '@mantine/core';
import { useRef } from 'react';
import { Link, Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { Shortcuts } from '../shortcuts/shortcuts.tsx';
import { ConnectionNotice } from '../banners/connection-notice.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageBanners } from '../banners/page-banners.tsx';
import { DemoBanner } from '../banners/demo-banner.tsx';
import { CONTENT_ID, SkipLink } from './skip-link.tsx';

export function Layout() {
  const content = useRef<HTMLElement>(null);
  const loggedIn = useAuth().token !== null;
  const isLoading = useNavigation().state === 'loading';
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <SkipLink to={content} />
      <DemoBanner />
      <Header />
      <ConnectionNotice />
      <PageBanners />
      <Box
        component="main"
        id={CONTENT_ID}
        ref={content}
        tabIndex={-1}
        aria-busy={isLoading}
        mih="calc(100dvh - 60px)"
        style={{ flex: 1 }}
      >
        <Outlet />
      </Box>
      <Footer>
        {loggedIn && <Shortcuts />}
        <Anchor component={Link} to="/privacy-policy" fz="sm" c="dimmed">
          Privacy
        </Anchor>
        <Anchor component={Link} to="/terms-of-service" fz="sm" c="dimmed">
          Terms
        </Anchor>
      </Footer>
      <ScrollRestoration />
    </Box>
  );
}
