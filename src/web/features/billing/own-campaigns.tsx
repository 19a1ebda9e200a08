import { Box, Card, Divider, Group, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { counted, figure } from '#core/labels.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { LoadFailure } from '../../components/query-content.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { campaignsQuery, useAdAccounts } from '../../lib/queries.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { OutageReplay } from '../settings/what-if.tsx';
import type { OwnList } from './spending.ts';
import { budgetsFor, runningIn, spendingLabel } from './spending.ts';

/** More accounts would push the plan too far down. */
const NAMED = 4;

/** Before a plan: what runs in the user's own ad accounts, and what past outages would have done with it. */
export function OwnCampaigns() {
  const query = useAdAccounts();
  const accounts = query.data ?? [];
  const answers = useQueries({ queries: accounts.map(({ id }) => campaignsQuery(id)) });
  const lists = accounts.map((account, index) => ({ account, campaigns: answers[index]?.data?.campaigns }));
  const isPending = [query, ...answers].some((one) => one.data === undefined && !hasFailed(one));
  const hasReplay = useHasCapability('replay');
  return (
    <Card component="section" aria-labelledby="own-campaigns" padding="xl">
      <Title order={2} id="own-campaigns" fz="md" c="dimmed" fw={600} mb={4}>
        Your campaigns now
      </Title>
      {isPending && <Placeholders heights={[80]} />}
      {!isPending && query.data === undefined && (
        <LoadFailure text="Your ad accounts couldn’t be loaded." query={query} />
      )}
      {!isPending && query.data !== undefined && <Running lists={lists} />}
      {hasReplay && (
        <>
          <Divider my="lg" />
          <Title order={2} fz="md" c="dimmed" fw={600} mb={4}>
            What SmartPause would have done in the last 12 months
          </Title>
          <OutageReplay
            isShort
            note={(pausedMs) => {
              const amount = isPending ? null : budgetsFor(lists, pausedMs);
              return (
                amount !== null && <Muted mt={4}>In that time, today’s budgets come to about {amount}.</Muted>
              );
            }}
          />
        </>
      )}
    </Card>
  );
}

function Running({ lists }: { lists: readonly OwnList[] }) {
  const running = lists.flatMap(runningIn).length;
  const spending = spendingLabel(lists);
  const unread = lists.filter(({ campaigns }) => campaigns === undefined).length;
  const known = lists.filter(({ campaigns }) => campaigns !== undefined);
  if (lists.length === 0) return <Text mt="xs">Meta shows no ad account for this Facebook login.</Text>;
  return (
    <Box className="figures" style={{ overflowWrap: 'anywhere' }}>
      <Text fz={{ base: 24, sm: 28 }} fw={700} lh={1.25} lts={-0.5}>
        {running === 0 ? 'No campaign' : counted(running, 'campaign')} running
        {lists.length > 1 && ` in ${counted(lists.length, 'ad account')}`}
      </Text>
      <Text c="dimmed" mt={2}>
        {spending === null ? 'No budget is set on a running campaign.' : `Budgets: ${spending}.`}
        {unread > 0 && ` ${counted(unread, 'ad account')} couldn’t be read.`}
      </Text>
      {known.length > 1 &&
        known.slice(0, NAMED).map((list) => (
          <Group key={list.account.id} justify="space-between" gap="0 md" mt="xs" fz="sm">
            <span>{list.account.name}</span>
            <Muted span>
              {[`${figure(runningIn(list).length)} running`, spendingLabel([list])]
                .filter(Boolean)
                .join(' · ')}
            </Muted>
          </Group>
        ))}
      {known.length > NAMED && <Muted mt="xs">and {counted(known.length - NAMED, 'more ad account')}</Muted>}
    </Box>
  );
}
