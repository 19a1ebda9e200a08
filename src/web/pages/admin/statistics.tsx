import { Card, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { AdminStats } from '#contract/admin-overview.ts';
import classes from './admin.module.css';
import { Muted } from '../../components/muted.ts';

const COUNTS: readonly { of: keyof AdminStats; label: string; hint: string }[] = [
  { of: 'totalUsers', label: 'Total users', hint: 'With an account' },
  { of: 'activeUsers', label: 'Active users', hint: 'Set up, with a subscription' },
  { of: 'smartPauseCampaigns', label: 'SmartPause campaigns', hint: 'With SmartPause on' },
];

const number = new Intl.NumberFormat('en-US');

export function Statistics({ stats }: { stats: AdminStats | undefined }) {
  return (
    <section aria-labelledby="statistics" aria-busy={stats === undefined}>
      <VisuallyHidden component="h2" id="statistics">
        System statistics
      </VisuallyHidden>
      <dl className={classes.counts}>
        {COUNTS.map(({ of, label, hint }) => (
          <Card key={of} className={classes.count ?? ''}>
            <Muted component="dt">{label}</Muted>
            <Text component="dd" fz={28} fw={650} lh={1.3} className={`figures ${classes.number ?? ''}`}>
              {stats === undefined ? <Skeleton h={28} w={64} my={4} /> : number.format(stats[of])}
            </Text>
            <Text component="dd" fz="xs" c="dimmed">
              {hint}
            </Text>
          </Card>
        ))}
      </dl>
    </section>
  );
}
