import '@mantine/core/styles/Grid.css';
import { Alert, Container, Grid, Group, Stack, Text } from '@mantine/core';
import { useAdminData } from './api.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { useActions } from './actions.tsx';
import { OwnSubscription } from './own-subscription.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Statistics } from './statistics.tsx';
import { SystemControls, SystemStatus } from './system-status.tsx';
import { SystemHealthCard } from './system-health.tsx';

export function Admin() {
  const { stats, status, activities, hasFailed, isFetching, reload } = useAdminData();
  // Until the environment is known, it counts as production.
  const actions = useActions(status?.isProductionLike ?? true, stats);
  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <PageHeading fz={26}>Admin</PageHeading>
        {hasFailed && (
          <Alert color="red" role="alert" py="xs">
            <Group justify="space-between" gap="sm">
              <Text inherit fw={600}>
                Failed to load admin data
              </Text>
              <BusyButton variant="default" size="xs" isBusy={isFetching} onClick={reload}>
                Retry
              </BusyButton>
            </Group>
          </Alert>
        )}
        <Statistics stats={stats} />
        <SystemHealthCard />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack gap="lg">
              <SystemStatus status={status} />
              <SystemControls directive={status?.adminDirective ?? null} actions={actions} />
              <OwnSubscription actions={actions} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <RecentActivity activities={activities} />
          </Grid.Col>
        </Grid>
        {actions.dialog}
      </Stack>
    </Container>
  );
}
