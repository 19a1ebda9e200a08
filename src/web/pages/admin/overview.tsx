import { Grid, Stack } from '@mantine/core';
import { useAdminData } from '../../admin-queries.ts';
import { LoadNotice } from './load-notice.tsx';
import { OwnSubscription } from './own-subscription.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Statistics } from './statistics.tsx';
import { StatusBreakdown } from './status-breakdown.tsx';
import { SystemControls } from './system-controls.tsx';
import { useActions } from './use-actions.tsx';
import { WhatIsFailing } from './what-is-failing.tsx';

/** How it stands, and what an administrator may do about it. */
export function Overview() {
  const data = useAdminData();
  const { stats, status, activities } = data;
  // As long as nobody knows where this is, it is taken for the place where mistakes are dear.
  const actions = useActions(status?.isProductionLike ?? true, stats);
  return (
    <>
      <LoadNotice {...data} />
      <Statistics stats={stats} />
      {data.failing !== null && <WhatIsFailing failing={data.failing} />}
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
    </>
  );
}
