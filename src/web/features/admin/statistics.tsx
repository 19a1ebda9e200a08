import { Card, SimpleGrid, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { AdminStats } from '#contract/admin-overview.ts';
import { figure } from '#core/labels.ts';
import { Muted } from '../../components/muted.ts';

const COUNTS: readonly { of: keyof AdminStats; label: string; hint: string }[] = [
  { of: 'totalUsers', label: 'Total users', hint: 'With an account' },
  { of: 'activeUsers', label: 'Active users', hint: 'Set up, with a subscription' },
  { of: 'smartPauseCampaigns', label: 'SmartPause campaigns', hint: 'With SmartPause on' },
];

export function Statistics({ stats }: { stats: AdminStats | undefined }) {
  return (
    <section aria-labelledby="statistics" aria-busy={stats === undefined}>
      <VisuallyHidden component="h2" id="statistics">
        System statistics
      </VisuallyHidden>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 3 }} spacing={{ base: 'xs', sm: 'lg' }}>
        {COUNTS.map(({ of, label, hint }) => (
          <Card key={of}>
            <Muted component="dt">{label}</Muted>
            <Text component="dd" m={0} fz={28} fw={650} lh={1.3} className="figures">
              {stats === undefined ? <Skeleton h={28} w={64} my={4} /> : figure(stats[of])}
            </Text>
            <Text component="dd" m={0} fz="xs" c="dimmed">
              {hint}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </section>
  );
}
