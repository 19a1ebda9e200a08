import { Badge, Box, Group, Stack, Text } from '@mantine/core';
import type { AdminActivity } from '#contract/admin-overview.ts';
import { fullTime, relativeTime } from '#core/new-york.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';

const TYPES: Record<AdminActivity['type'], { word: string; color: string }> = {
  pause: { word: 'Pause', color: 'yellow' },
  resume: { word: 'Resume', color: 'green' },
  login: { word: 'Login', color: 'blue' },
  setting: { word: 'Setting', color: 'grape' },
  other: { word: 'Other', color: 'gray' },
};

export function RecentActivity({ activities }: { activities: readonly AdminActivity[] | undefined }) {
  return (
    <SectionCard id="recent-activity" title="Recent activity">
      {activities === undefined && <Placeholders heights={[44, 44, 44, 44]} />}
      {activities?.length === 0 && <Muted>No recent activity</Muted>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
        {activities?.map((activity) => (
          <Activity key={activity.id} {...activity} />
        ))}
      </Stack>
    </SectionCard>
  );
}

function Activity({ type, message, user, timestamp }: AdminActivity) {
  const { word, color } = TYPES[type];
  const at = Date.parse(timestamp);
  return (
    <Group component="li" wrap="nowrap" align="flex-start">
      <Box w={72} flex="none">
        <Badge color={color}>{word}</Badge>
      </Box>
      <div>
        <Text fz="sm">{message}</Text>
        <Muted mt={2} className="figures">
          {user ?? 'Deleted user'} · <Time at={at}>{fullTime(at)}</Time> ·{' '}
          <span>{relativeTime(at, useNow())}</span>
        </Muted>
      </div>
    </Group>
  );
}
