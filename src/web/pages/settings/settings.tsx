import './settings-styles.css';
import { Container, Stack, Text } from '@mantine/core';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../../components/layout/page-placeholder.tsx';
import { isOwnServer } from '../../api/own-server.ts';
import { useSubscription } from '../../subscription.tsx';
import { Billing } from './billing.tsx';
import { DangerZone } from './danger-zone.tsx';
import { PrivacyLink, TermsLink } from './legal-links.tsx';
import { Sessions } from './sessions.tsx';
import { SmartPauseSettings } from './smart-pause-settings.tsx';
import { YourData } from './your-data.tsx';

export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  // What is shown hangs on the subscription, and nothing jumps once it is known.
  if (isLoading) return <PagePlaceholder />;
  return (
    <Container size="sm" py="xl">
      <Stack gap="lg">
        <PageHeading fz={26}>Settings</PageHeading>
        {hasActiveSubscription && <SmartPauseSettings />}
        <Billing />
        <Sessions />
        {isOwnServer() && <YourData />}
        <DangerZone />
        <Text fz="sm" c="dimmed" ta="center">
          <TermsLink /> · <PrivacyLink />
        </Text>
      </Stack>
    </Container>
  );
}
