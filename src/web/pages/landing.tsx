import { Box, Button, Card, Container, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { TRIAL_DAYS } from '#core/subscription.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { StatusMark } from '../components/status-mark.tsx';
import { fullPrice } from '../plan-words.ts';
import { useReturnTo } from '../return-to.ts';
import { loginAddress } from '../session.tsx';
import { OutagePicture } from './outage-picture.tsx';

const STEPS = [
  {
    title: 'We watch',
    text: "SmartPause reads the status of Meta's ad services around the clock and knows small disturbances from real outages.",
  },
  {
    title: 'We pause',
    text: 'When a disruption reaches the threshold you chose, the campaigns you marked are paused, and the page says why.',
  },
  {
    title: 'We resume',
    text: 'When it is over, exactly those campaigns run again: at once, after a delay, or the next day. Nothing else is touched.',
  },
];

export function Landing() {
  const returnTo = useReturnTo();
  return (
    <Container size="lg" py={{ base: 40, sm: 72 }}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={{ base: 40, md: 64 }} style={{ alignItems: 'center' }}>
        <Box>
          <PageHeading fz={{ base: 34, sm: 46 }} lh={1.12} lts={-1}>
            Stop paying for Meta’s outages
          </PageHeading>
          <Text fz="lg" c="dimmed" mt="md" maw={480}>
            When Meta’s ad delivery breaks, your budget keeps being spent. SmartPause pauses your campaigns
            while it lasts and resumes exactly those afterwards.
          </Text>
          <Group mt="xl">
            <Button component={Link} to="/payment" size="lg">
              Start Free Trial
            </Button>
            <Button component="a" href={loginAddress(returnTo)} size="lg" variant="default">
              Log In
            </Button>
          </Group>
          <Text fz="sm" c="dimmed" mt="sm">
            {TRIAL_DAYS} days free, then {fullPrice('monthly')}. Nothing is paused until you switch it on.
          </Text>
        </Box>
        <OutagePicture />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg" mt={{ base: 48, sm: 80 }}>
        {STEPS.map(({ title, text }, index) => (
          <Card key={title}>
            <Text c="dimmed" fz="sm" fw={600} className="figures">
              {index + 1}
            </Text>
            <Title order={2} fz="lg" mt={4}>
              {title}
            </Title>
            <Text c="dimmed" mt={6} lh={1.55}>
              {text}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      <Group
        justify="center"
        gap="xl"
        mt={{ base: 40, sm: 56 }}
        aria-label="The levels that SmartPause knows"
      >
        <StatusMark level="UP" />
        <StatusMark level="LOW_DISRUPTION" />
        <StatusMark level="MEDIUM_DISRUPTION" />
        <StatusMark level="HIGH_DISRUPTION" />
      </Group>
    </Container>
  );
}
