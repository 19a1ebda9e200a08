import { Badge, Box, Flex, Stack, Text } from '@mantine/core';
import type { AdminActivity } from '#contract/admin-overview.ts';
import { relativeTime } from '#core/new-york.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';

const TYPES: Record<AdminActivity['type'], [word: string, color: string]> = {
  pause: ['Pause', 'yellow'],
  resume: ['Resume', 'green'],
  login: ['Login', 'blue'],
  setting: ['Setting', 'grape'],
  other: ['Other', 'gray'],
};

export function RecentActivity({ activities }: { activities: readonly AdminActivity[] | undefined }) {
  const now = useNow();
  return (
    <SectionCard id="recent-activity" title="Recent activity">
      {activities === undefined && <Placeholders heights={[44, 44, 44, 44]} />}
      {activities?.length === 0 && <Muted>No recent activity</Muted>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
        {activities?.map(({ id, type, kind, message, user, timestamp }) => (
          <Flex component="li" key={id} gap="4px 16px" direction={{ base: 'column', xs: 'row' }}>
            <Box w={92} flex="none">
              <Badge color={TYPES[type][1]}>{kind ?? TYPES[type][0]}</Badge>
            </Box>
            <div>
              <Text fz="sm">{message}</Text>
              <Muted mt={2} className="figures">
                {user ?? 'Deleted user'} · <Time at={timestamp} /> ·{' '}
                <span>{relativeTime(Date.parse(timestamp), now)}</span>
              </Muted>
            </div>
          </Flex>
        ))}
      </Stack>
    </SectionCard>
  );
}
