import { Badge, Box, Flex, Stack, Text } from '@mantine/core';
import type { AdminActivity } from '#contract/admin-overview.ts';
import { relativeTime } from '#core/new-york.ts';
import { Dots } from '../../components/dots.tsx';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';

const TYPES: Record<AdminActivity['type'], [word: string, color: string]> = {
  pause: ['Pause', 'yellow'],
  resume: ['Resume', 'green'],
  login: ['Login', 'gray'],
  setting: ['Setting', 'gray'],
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
          <Flex
            component="li"
            key={id}
            gap="4px 16px"
            direction={{ base: 'column', sm: 'row' }}
            align={{ sm: 'baseline' }}
          >
            <Box w={92} flex="none">
              <Badge color={TYPES[type][1]}>{kind ?? TYPES[type][0]}</Badge>
            </Box>
            <Text fz="sm" flex="1 1 0">
              {message}
            </Text>
            <Muted className="figures" component="div">
              <Dots
                parts={[
                  user !== null && message.startsWith(`${user} `) ? null : (user ?? 'Deleted user'),
                  <Time key="at" at={timestamp} />,
                  relativeTime(Date.parse(timestamp), now),
                ]}
              />
            </Muted>
          </Flex>
        ))}
      </Stack>
    </SectionCard>
  );
}
