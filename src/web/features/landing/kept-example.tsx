import { Card, SimpleGrid, Title } from '@mantine/core';
import { HourlySpend } from '../../components/hourly-spend.tsx';
import { Muted } from '../../components/muted.ts';
import { SpendAmounts } from '../../components/spend-amounts.tsx';
import { exampleOfKept } from './example.ts';

const OUTAGE = { start: Date.parse('2026-01-09T02:10:00Z'), end: Date.parse('2026-01-09T04:08:00Z') };

/** What the pages say about each outage, of an invented advertiser in a real one. */
export function KeptExample() {
  const { estimate, spent } = exampleOfKept();
  return (
    <Card component="section" aria-labelledby="kept-example" mt="lg" p={{ base: 'md', sm: 'xl' }}>
      <Title order={3} fz="md" id="kept-example">
        Afterwards you see what it kept
      </Title>
      <Muted mb="md">
        Example: a campaign with $2,400 a day on January 8, 2026. We assume that Meta catches up on 40% of
        what wasn’t spent.
      </Muted>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <SpendAmounts estimate={estimate} isOne />
        <div>
          <HourlySpend title="Spend by hour" spent={spent} currency={estimate.currency} outage={OUTAGE} />
        </div>
      </SimpleGrid>
    </Card>
  );
}
