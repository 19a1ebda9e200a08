import { Alert, Box, Button, Card, Container, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { Muted } from '../../components/muted.ts';
import { wantsOtherPage } from '../../lib/return-to.ts';
import { StartTrial } from '../billing/plan.tsx';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../campaigns/campaign-badges.tsx';
import { StatusMark } from '../status/status-mark.tsx';
import { fullPrice } from '../subscription/plan-copy.ts';
import classes from './landing.module.css';

/** A phone shows the buttons one below the other, of one width. */
export const WIDE = { w: { base: '100%', xs: 'auto' } };

export function Hero() {
  return (
    <Container size="lg" py={{ base: 40, sm: 80 }}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={{ base: 40, md: 64 }} style={{ alignItems: 'center' }}>
        <Box>
          <Title
            order={1}
            tabIndex={-1}
            fz={{ base: 36, sm: 52 }}
            lh={1.08}
            lts={-1.4}
            style={{ textWrap: 'balance' }}
          >
            Stop paying for Meta’s outages
          </Title>
          <Text fz={{ base: 'lg', sm: 'xl' }} c="dimmed" mt="lg" className={classes.lead ?? ''}>
            When Meta’s ad delivery breaks, your budget keeps burning. SmartPause pauses your campaigns during
            the outage and turns the same ones back on when it’s over.
          </Text>
          <Group mt={32} gap="sm">
            <StartTrial size="lg" {...WIDE} />
            <Button component="a" href="#how-it-works" size="lg" variant="default" {...WIDE}>
              See how it works
            </Button>
          </Group>
          {wantsOtherPage() && (
            <Text fw={600} mt="md">
              Log in to see the page you opened.
            </Text>
          )}
          <Text c="dimmed" mt="md" className="figures" maw={480}>
            <b>{TRIAL_DAYS} days free</b>, then {fullPrice('monthly')} or {fullPrice('yearly')}. Card
            required, first charge after the trial. Cancel anytime.
          </Text>
        </Box>
        <ListExample />
      </SimpleGrid>
    </Container>
  );
}

const GLIMPSE =
  'Example of the dashboard during an outage. Meta Ads Delivery has been down for 12 minutes. Two campaigns with SmartPause on are paused. One without it is still active. An email confirms the pauses.';

const CAMPAIGNS = [
  { name: 'Winter sale', detail: 'Sales · $120/day', status: 'PAUSED', held: true },
  { name: 'Retargeting, 30 days', detail: 'Sales · $80/day', status: 'PAUSED', held: true },
  { name: 'Brand video', detail: 'Awareness · SmartPause off · $50/day', status: 'ACTIVE', held: false },
];

/** The dashboard during an outage, drawn with its own components. */
function ListExample() {
  return (
    <Box component="figure" m={0}>
      <Card padding={0} role="img" aria-label={GLIMPSE} className={classes.glimpse ?? ''}>
        <Group justify="space-between" gap={4} px="lg" py="md">
          <StatusMark level="HIGH_DISRUPTION" prefix="Meta" />
          <Muted span className="figures">
            since 9:10 PM EST
          </Muted>
        </Group>
        <Box px="lg" py="md" className={classes.line}>
          <Alert role="none" color="red" title="Meta Ads Delivery is down · 12 min">
            2 paused, 1 still running ($50/day). Back 5 minutes after it ends.
          </Alert>
        </Box>
        {CAMPAIGNS.map(({ name, detail, status, held }) => (
          <Group key={name} justify="space-between" gap={8} px="lg" py="sm" className={classes.line ?? ''}>
            <Box>
              <Text fw={600}>{name}</Text>
              <Muted>{detail}</Muted>
            </Box>
            <Group gap={6} wrap="nowrap">
              <CampaignStatusBadge status={status} />
              {held && <SmartPauseActiveBadge />}
            </Group>
          </Group>
        ))}
        <Muted px="lg" py="md" className={`figures ${classes.line ?? ''}`}>
          Email sent at 9:10 PM EST: “SmartPause paused 2 campaigns”
        </Muted>
      </Card>
      <Muted component="figcaption" ta="center" mt="xs">
        Example: the dashboard during an outage.
      </Muted>
    </Box>
  );
}
