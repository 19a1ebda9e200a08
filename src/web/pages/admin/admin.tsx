import { Alert, Container, Grid, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useAdminData } from '../../admin-queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { OwnSubscription } from './own-subscription.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Statistics } from './statistics.tsx';
import { StatusBreakdown } from './status-breakdown.tsx';
import { SystemControls } from './system-controls.tsx';
import { useActions } from './use-actions.tsx';
import { WhatIsFailing } from './what-is-failing.tsx';

export function Admin() {
  const data = useAdminData();
  const { stats, status, activities } = data;
  // As long as nobody knows where this is, it is taken for the place where mistakes are dear.
  const actions = useActions(status?.isProductionLike ?? true, stats);
  const notice = useRef<HTMLDivElement>(null);
  const [isRetrying, setIsRetrying] = useState(false);
  const onRetry = async () => {
    setIsRetrying(true);
    const isLoaded = await data.reload();
    setIsRetrying(false);
    // The button is gone then: whoever uses the keyboard goes on from where it was.
    if (isLoaded) notice.current?.focus();
  };
  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <div>
          <PageHeading fz={26}>Admin</PageHeading>
          <div ref={notice} tabIndex={-1} className="notice">
            {data.hasFailed && <LoadFailure isRetrying={isRetrying} onRetry={() => void onRetry()} />}
          </div>
        </div>
        <Statistics stats={stats} />
        <WhatIsFailing failing={data.failing} />
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
      </Stack>
      {actions.question}
    </Container>
  );
}

function LoadFailure({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <Alert color="red" role="alert" mt="md" py="xs">
      <Group justify="space-between" gap="sm">
        <Text inherit fw={600}>
          Failed to load admin data
        </Text>
        <BusyButton variant="default" size="xs" isBusy={isRetrying} onClick={onRetry}>
          Retry
        </BusyButton>
      </Group>
    </Alert>
  );
}
