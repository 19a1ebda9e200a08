import { Alert, Badge, Container, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { AdminStats, AdminStatus } from '#contract/admin-overview.ts';
import { figure } from '#core/labels.ts';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Placeholders } from '../../components/placeholders.tsx';
import { RetryButton } from '../../components/retry-button.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { PlanStatus } from '../billing/billing-section.tsx';
import { usePlatformStatus } from '../status/api.ts';
import { StatusMark, StatusShape } from '../status/status-mark.tsx';
import { StatusTimes } from '../status/status-times.tsx';
import { SubscriptionFailure, useSubscription } from '../subscription/subscription-provider.tsx';
import { ACTIONS, ActionButton } from './actions.tsx';
import { adminActivityQuery, adminStatsQuery, adminStatusQuery } from './api.ts';
import { EarlyWarningCard } from './early-warning.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { NormalHealth, OverrideNotice, SystemHealthCard, useIsNormal } from './system-health.tsx';

export function Admin() {
  const queries = useQueries({ queries: [adminStatsQuery, adminStatusQuery, adminActivityQuery] });
  const [stats, status, activity] = queries;
  const isNormal = useIsNormal();
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <Group justify="space-between" gap="4px 16px">
          <PageHeading fz={26}>Admin</PageHeading>
          {isNormal === undefined && <Skeleton h={22} w={170} />}
          {isNormal && <NormalHealth isOverridden={status.data?.isOverridden === true} />}
        </Group>
        {queries.some(hasFailed) && (
          <Alert color="red" role="alert" py="xs">
            <Group justify="space-between" gap="sm">
              <b>Failed to load admin data</b>
              <RetryButton
                query={{
                  isFetching: queries.some(({ isFetching }) => isFetching),
                  refetch: () => queries.forEach(({ refetch }) => void refetch()),
                }}
              />
            </Group>
          </Alert>
        )}
        {status.data?.isOverridden === true && <OverrideNotice />}
        {/* Only failing parts move the page. */}
        {isNormal === false && <SystemHealthCard />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <SectionCard id="system-status" title="System status">
            {status.data ? <Breakdown {...status.data} /> : <Placeholders heights={[150]} />}
          </SectionCard>
          <SystemControls current={status.data?.adminDirective ?? null} />
          <Statistics stats={stats.data} />
          <OwnSubscription />
        </SimpleGrid>
        <EarlyWarningCard />
        <RecentActivity activities={activity.data} />
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

/** Mildest first. */
const OVERRIDES = [
  ['force-up', 'FORCE_UP', 'UP'],
  ['force-low', 'FORCE_LOW', 'LOW_DISRUPTION'],
  ['force-medium', 'FORCE_MEDIUM', 'MEDIUM_DISRUPTION'],
  ['force-high', 'FORCE_HIGH', 'HIGH_DISRUPTION'],
] as const;

function Breakdown(status: AdminStatus) {
  const { effectiveStatus, trueMetaStatus, adminDirective, isOverridden, statusMessage } = status;
  const shown = usePlatformStatus();
  const override = OVERRIDES.find(([, directive]) => directive === adminDirective);
  const effective = (
    <>
      <StatusMark level={effectiveStatus} />
      {shown?.status === effectiveStatus && (
        <Muted>
          <StatusTimes status={shown} />
        </Muted>
      )}
    </>
  );
  return (
    <Facts
      facts={[
        ['Effective status', effective],
        ['True Meta status', <StatusMark key="true" level={trueMetaStatus} />],
        ['Meta’s message', statusMessage || 'None'],
        ['Admin directive', override === undefined ? 'None' : ACTIONS[override[0]].label],
        ['Overridden', isOverridden ? <Badge color="orange">Yes</Badge> : 'No'],
      ]}
    />
  );
}

/** Two lines where needed. */
const WRAPS = { root: { height: 'auto', minHeight: 36 }, label: { whiteSpace: 'normal' } } as const;

function SystemControls({ current }: { current: AdminStatus['adminDirective'] }) {
  return (
    <SectionCard id="system-controls" title="System controls">
      <Muted mb="md">Overrides apply to all users and replace Meta’s reported status until cleared.</Muted>
      <SimpleGrid cols={2} spacing="xs">
        {OVERRIDES.map(([action, directive, level]) => (
          <ActionButton
            key={action}
            action={action}
            justify="flex-start"
            styles={WRAPS}
            leftSection={<StatusShape level={level} />}
            variant={directive === current ? 'light' : 'default'}
            aria-pressed={directive === current}
          />
        ))}
        <ActionButton
          action="clear"
          variant={current === null ? 'default' : 'filled'}
          disabled={current === null}
          style={{ gridColumn: '1 / -1' }}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

function OwnSubscription() {
  const { subscription, isLoading, error } = useSubscription();
  return (
    <SectionCard id="own-subscription" title="Subscription management">
      {isLoading && <Placeholders heights={[22]} />}
      {error !== null && <SubscriptionFailure />}
      {!isLoading && error === null && subscription === null && <Muted>No subscription.</Muted>}
      {subscription !== null && <PlanStatus subscription={subscription} />}
      <Stack gap="xs" mt="md">
        <ActionButton action="grant-subscription" />
        <ActionButton action="clear-stripe-data" c="var(--status-high)" />
      </Stack>
    </SectionCard>
  );
}
