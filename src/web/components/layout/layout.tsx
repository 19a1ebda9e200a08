import { Box } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useRef } from 'react';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { ConnectionNotice } from '../banners/connection-notice.tsx';
import { DemoBanner } from '../banners/demo-banner.tsx';
import { PageBanners } from '../banners/page-banners.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

const CONTENT_ID = 'content';

export function Layout() {
  const content = useRef<HTMLElement>(null);
  const isLoading = useNavigation().state === 'loading';
  const onSkip = (event: MouseEvent) => {
    // The address keeps no fragment: a shared address means the page.
    event.preventDefault();
    content.current?.focus();
  };
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <a href={`#${CONTENT_ID}`} className="skip" onClick={onSkip}>
        Skip to content
      </a>
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
      <Footer />
      {/* Every visit by address has the key 'default', which must not mix up two pages. */}
      <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
    </Box>
  );
}
