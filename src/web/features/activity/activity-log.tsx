import { Anchor, Badge, Box, Card, Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Activity } from '#contract/outage-api.ts';
import { OUTAGE_SEARCH_MAX } from '#contract/outage-api.ts';
import { clockTime } from '#core/new-york.ts';
import { Dots } from '../../components/dots.tsx';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Stale } from '../../components/stale.tsx';
import { Time } from '../../components/time.tsx';
import { dayOf, recentDay } from '../../lib/exact-times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import classes from './activity.module.css';
import { useActivityFilter } from './activity-filter.tsx';
import { useActivities } from './api.ts';
import { KINDS, byCopy } from './outage-copy.ts';
import { useWhy } from './use-why.ts';

/** Everything that happened, by day, with a search for a campaign. */
export function ActivityLog() {
  const { account: adAccountId } = useActivityFilter().filter;
  const isOffered = useHasCapability('activity_log');
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 250);
  const { first, more } = useActivities({ adAccountId, ...(search !== '' && { search }) }, isOffered);
  const now = useNow();
  if (!isOffered) return null;
  const all = [
    ...(first.data?.activities ?? []),
    ...(more.data?.pages ?? []).flatMap((page) => page.activities),
  ];
  const days = Map.groupBy([...new Map(all.map((one) => [one.id, one])).values()], ({ at }) =>
    dayOf(Date.parse(at)),
  );
  return (
    <Card component="section" aria-labelledby="log-title" aria-busy={first.isPlaceholderData}>
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} fz="lg" id="log-title">
          Everything that happened
        </Title>
        <SearchBox
          placeholder="Search by campaign"
          aria-label="Search activity by campaign"
          w={{ base: '100%', xs: 240 }}
          maxLength={OUTAGE_SEARCH_MAX}
          value={text}
          onText={setText}
        />
      </Group>
      <QueryContent
        query={first}
        data={first.data}
        failure="Your activity couldn’t be loaded."
        heights={[48, 48, 48]}
      >
        {() => (
          <>
            {days.size === 0 && (
              <Muted>
                {search === '' ? 'Nothing has happened yet.' : 'Nothing happened to a campaign of this name.'}
              </Muted>
            )}
            {[...days].map(([day, own]) => (
              <Day key={day} title={titleOf(day, own, now)} activities={own} />
            ))}
          </>
        )}
      </QueryContent>
      <Stale queries={[more]} what="the older entries" />
      <div className={classes.more}>
        <ShowMore query={more} end="That’s everything." />
      </div>
    </Card>
  );
}

/** 'Today', 'Yesterday', or the date. */
function titleOf(day: string, [first]: readonly Activity[], now: number): string {
  const recent = first === undefined ? day : recentDay(Date.parse(first.at), now);
  return recent === 'Today' || recent === 'Yesterday' ? recent : day;
}

function Day({ title, activities }: { title: string; activities: readonly Activity[] }) {
  return (
    <>
      <Title order={3} fz="sm" c="dimmed" mt="md">
        {title}
      </Title>
      <ul className={classes.rows} aria-label={title}>
        {activities.map((activity) => (
          <Item key={activity.id} {...activity} />
        ))}
      </ul>
    </>
  );
}

function Item({ at, kind, actor, user, message, campaignId, outageId }: Activity) {
  const [, showWhy] = useWhy();
  // The user knows why they changed a setting.
  const why = actor === 'user' && user !== null ? 'History' : 'Why?';
  const { label, color } = KINDS[kind];
  return (
    <Box component="li" className={classes.activity}>
      <Muted className="figures">
        <Time at={at}>{clockTime(Date.parse(at))}</Time>
      </Muted>
      <div>
        {/* What SmartPause did stands out; the settings and logins around it do not. */}
        <Text fz="sm" {...(actor === 'smartpause' ? { fw: 550 } : { c: 'dimmed' })}>
          {message}
        </Text>
        <Muted fz={13} component="div">
          <Dots
            parts={[
              !message.startsWith('You ') && byCopy({ kind, actor, user }),
              outageId !== null && (
                <TextLink
                  to={`/activity/${outageId}`}
                  underline="hover"
                  aria-label={`See the outage: ${message}`}
                >
                  See the outage
                </TextLink>
              ),
              campaignId !== null && (
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  aria-haspopup="dialog"
                  aria-label={`${why} ${message}`}
                  onClick={() => showWhy(campaignId)}
                >
                  {why}
                </Anchor>
              ),
            ]}
          />
        </Muted>
      </div>
      <Badge color={color}>{label}</Badge>
    </Box>
  );
}
