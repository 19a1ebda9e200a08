import { Anchor, Box } from '@mantine/core';
import { Suspense, useRef } from 'react';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { lazyExtra } from '../../browser/lazy-part.ts';
import { ConnectionNotice } from '../banners/connection-notice.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageBanners } from '../banners/page-banners.tsx';
import { PagePlaceholder } from './page-placeholder.tsx';
import { DemoBanner } from '../banners/demo-banner.tsx';
import { CONTENT_ID, SkipLink } from './skip-link.tsx';

const Shortcuts = lazyExtra(async () => (await import('../shortcuts/shortcuts.tsx')).Shortcuts);

export function Layout() {
  const content = useRef<HTMLElement>(null);
  const loggedIn = useAuth().token !== null;
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
        mih="calc(100dvh - 60px)"
        style={{ flex: 1 }}
      >
        <Suspense fallback={<PagePlaceholder />}>
          <Outlet />
        </Suspense>
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
