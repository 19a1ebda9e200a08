import { Alert, Box, Button, Card, Container, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../../components/campaign-badges.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { fullPrice } from '../../text/plan-words.ts';
import { loginAddress } from '../../browser/return-to.ts';
import classes from '../landing.module.css';
import { StartTrial } from './start-trial.tsx';

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
          <Text fz={{ base: 'lg', sm: 'xl' }} c="dimmed" mt="lg" maw={500} lh={1.5}>
            When Meta’s ad delivery breaks, your budget goes on being spent. SmartPause pauses your campaigns
            while it lasts, and resumes exactly those afterwards.
          </Text>
          <Group mt={32} gap="sm">
            <StartTrial size="lg" />
            <Button component="a" href={loginAddress('/')} size="lg" variant="default">
              Log In
            </Button>
          </Group>
          <Text c="dimmed" mt="md" className="figures" maw={480}>
            <b>{TRIAL_DAYS} days free</b>, then {fullPrice('monthly')} or {fullPrice('yearly')}. Cancel
            anytime. Nothing is paused until you switch it on.
          </Text>
        </Box>
        <Glimpse />
      </SimpleGrid>
    </Container>
  );
}

const GLIMPSE =
  'An example of the dashboard during an outage: Meta has a high disruption, the threshold is matched; two campaigns with SmartPause are paused, one without it is still active; an email says so.';

const CAMPAIGNS = [
  { name: 'Autumn sale', detail: 'Sales · held by SmartPause', status: 'PAUSED', held: true },
  { name: 'Visitors, 30 days', detail: 'Sales · held by SmartPause', status: 'PAUSED', held: true },
  { name: 'Brand film', detail: 'Awareness · SmartPause off, left alone', status: 'ACTIVE', held: false },
];

/** What the dashboard says while it matters, from the dashboard's own parts. */
function Glimpse() {
  return (
    <Box component="figure" m={0}>
      <Card padding={0} role="img" aria-label={GLIMPSE} className={classes.glimpse ?? ''}>
        <Group justify="space-between" gap={4} px="lg" py="md" className={classes.line ?? ''}>
          <StatusMark level="HIGH_DISRUPTION" prefix="Meta" />
          <Text span fz="sm" c="dimmed" className="figures">
            since 9:10 PM EST
          </Text>
        </Group>
        <Box px="lg" py="md">
          <Alert role="none" color="yellow" title="SmartPause Activated - Threshold Matched">
            2 campaigns are paused until Meta has recovered.
          </Alert>
        </Box>
        {CAMPAIGNS.map(({ name, detail, status, held }) => (
          <Group
            key={name}
            justify="space-between"
            gap={8}
            px="lg"
            py="sm"
            className={classes.campaign ?? ''}
          >
            <Box>
              <Text fw={600}>{name}</Text>
              <Text fz="sm" c="dimmed">
                {detail}
              </Text>
            </Box>
            <Group gap={6} wrap="nowrap">
              <CampaignStatusBadge status={status} />
              {held && <SmartPauseActiveBadge />}
            </Group>
          </Group>
        ))}
        <Text fz="sm" c="dimmed" px="lg" py="md" className={`figures ${classes.mail ?? ''}`}>
          Email to you, 9:10 PM EST: ‘SmartPause paused 2 campaigns’
        </Text>
      </Card>
      <Text component="figcaption" fz="sm" c="dimmed" ta="center" mt="xs">
        An example: the dashboard during an outage.
      </Text>
    </Box>
  );
}
