import { Alert, Container, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { AdminStats } from '#contract/admin-overview.ts';
import { figure } from '#core/labels.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { PlanStatus } from '../billing/billing-section.tsx';
import { SubscriptionFailure, useSubscription } from '../billing/subscription-provider.tsx';
import type { Actions } from './actions.tsx';
import { ActionButton, useActions } from './actions.tsx';
import { useAdminData } from './api.ts';
import { RecentActivity } from './recent-activity.tsx';
import { SystemHealthCard } from './system-health.tsx';
import { SystemControls, SystemStatus } from './system-status.tsx';

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
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
          <Stack gap="lg">
            <SystemStatus status={status} />
            <SystemControls current={status?.adminDirective ?? null} actions={actions} />
            <OwnSubscription actions={actions} />
          </Stack>
          <RecentActivity activities={activities} />
        </SimpleGrid>
        {actions.dialog}
      </Stack>
    </Container>
  );
}

const COUNTS = [
  ['totalUsers', 'Total users', 'With an account'],
  ['activeUsers', 'Active users', 'Set up, with a subscription'],
  ['smartPauseCampaigns', 'SmartPause campaigns', 'With SmartPause on'],
] as const;

function Statistics({ stats }: { stats: AdminStats | undefined }) {
  return (
    <SectionCard id="statistics" title="System statistics" aria-busy={stats === undefined}>
      <Facts
        width={140}
        facts={COUNTS.map(([key, label, hint]) => [
          label,
          <>
            <Text fz={28} fw={650} lh={1.3}>
              {stats === undefined ? <Skeleton component="span" h={28} w={64} my={4} /> : figure(stats[key])}
            </Text>
            <Muted fz="xs">{hint}</Muted>
          </>,
        ])}
      />
    </SectionCard>
  );
}

function OwnSubscription({ actions }: { actions: Actions }) {
  const { subscription, isLoading, error } = useSubscription();
  return (
    <SectionCard id="own-subscription" title="Subscription management">
      {isLoading && <Placeholders heights={[22]} />}
      {error !== null && <SubscriptionFailure />}
      {!isLoading && error === null && subscription === null && <Muted>No subscription.</Muted>}
      {subscription !== null && <PlanStatus subscription={subscription} />}
      <Stack gap="xs" mt="md">
        <ActionButton action="grant-subscription" actions={actions} />
        <ActionButton action="clear-stripe-data" actions={actions} c="var(--status-high)" />
      </Stack>
    </SectionCard>
  );
}
