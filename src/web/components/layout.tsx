import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useRef } from 'react';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import { ConnectionNotice } from './connection-notice.tsx';
import { Header } from './header.tsx';
import { PageBanners } from './page-banners.tsx';
import { PracticeBanner } from './practice-banner.tsx';

/** What stands around every page. */
export function Layout() {
  const content = useRef<HTMLElement>(null);
  const onSkip = (event: MouseEvent) => {
    // The address stays as it is: whoever shares it means the page.
    event.preventDefault();
    content.current?.focus();
  };
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <a href="#content" className="skip" onClick={onSkip}>
        Skip to content
      </a>
      <PracticeBanner />
      <Header />
      <ConnectionNotice />
      <PageBanners />
      <Box component="main" id="content" ref={content} tabIndex={-1} style={{ flex: 1 }}>
        <Outlet />
      </Box>
      <Footer />
      <ScrollRestoration />
    </Box>
  );
}

function Footer() {
  return (
    <Container component="footer" size="lg" w="100%" py="xl">
      <Group justify="space-between" gap="xs">
        <Text fz="sm" c="dimmed">
          SmartPause is not part of Meta. All times are New York time (EST).
        </Text>
        <Group gap="md">
          <Anchor component={Link} to="/privacy-policy" fz="sm" c="dimmed">
            Privacy
          </Anchor>
          <Anchor component={Link} to="/terms-of-service" fz="sm" c="dimmed">
            Terms
          </Anchor>
        </Group>
      </Group>
    </Container>
  );
}
