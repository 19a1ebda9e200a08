import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import { ErrorBanner } from './error-banner.tsx';
import { Header } from './header.tsx';
import { PracticeBanner } from './practice-banner.tsx';

/** What stands around every page. */
export function Layout() {
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <PracticeBanner />
      <Header />
      <ErrorBanner />
      <Box component="main" style={{ flex: 1 }}>
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
