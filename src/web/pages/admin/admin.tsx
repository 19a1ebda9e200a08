import '@mantine/core/styles/Grid.css';
import { Container, Grid, Stack } from '@mantine/core';
import { useAdminData } from '../../api/admin-queries.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { LoadNotice } from './load-notice.tsx';
import { OwnSubscription } from './own-subscription.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Statistics } from './statistics.tsx';
import { StatusBreakdown } from './status-breakdown.tsx';
import { SystemControls } from './system-controls.tsx';
import { SystemHealthCard } from './system-health.tsx';
import { useActions } from './use-actions.tsx';

export function Admin() {
  const data = useAdminData();
  const { stats, status, activities } = data;
  // Until the environment is known, it counts as production.
  const asksFirst = status?.isProductionLike ?? true;
  const actions = useActions(asksFirst, stats);
  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <PageHeading fz={26}>Admin</PageHeading>
        <LoadNotice {...data} />
        <Statistics stats={stats} />
        <SystemHealthCard />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack gap="lg">
              <StatusBreakdown status={status} />
              <SystemControls directive={status?.adminDirective ?? null} actions={actions} />
              <OwnSubscription actions={actions} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <RecentActivity activities={activities} />
          </Grid.Col>
        </Grid>
        {actions.question}
      </Stack>
    </Container>
  );
}
