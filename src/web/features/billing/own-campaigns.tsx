import { Card, Flex, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { counted, durationLabel, figure } from '#core/labels.ts';
import { Muted } from '../../components/muted.ts';
import { LoadFailure } from '../../components/query-content.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { campaignsQuery, useAdAccounts } from '../../lib/queries.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { OutageReplay } from '../replay/what-if.tsx';
import type { OwnList } from './spending.ts';
import { budgetsFor, runningIn, spendingLabel } from './spending.ts';

/** More accounts would push the plan too far down. */
const NAMED = 4;

/** Before a plan: what past outages would have done with the user's own ad accounts, and what runs there. */
export function OwnCampaigns() {
  const query = useAdAccounts();
  const accounts = query.data ?? [];
  const answers = useQueries({ queries: accounts.map(({ id }) => campaignsQuery(id)) });
  const lists = accounts.map((account, index) => ({ account, campaigns: answers[index]?.data?.campaigns }));
  const isPending = [query, ...answers].some((one) => one.data === undefined && !hasFailed(one));
  const hasReplay = useHasCapability('replay');
  const figures = (pausedMs: number) => <Figures lists={isPending ? null : lists} pausedMs={pausedMs} />;
  return (
    <Card component="section" aria-label="Your campaigns" p={{ base: 'md', sm: 'xl' }}>
      {hasReplay ? <OutageReplay figures={figures} /> : figures(0)}
      {!isPending && query.data === undefined && (
        <LoadFailure text="Your ad accounts couldn’t be loaded." query={query} />
      )}
      {!isPending && query.data !== undefined && <Accounts lists={lists} />}
    </Card>
  );
}

interface FiguresProps {
  /** Null: not known yet. */
  lists: readonly OwnList[] | null;
  pausedMs: number;
}

/** What is set against the price. */
function Figures({ lists, pausedMs }: FiguresProps) {
  const budgets = lists && budgetsFor(lists, pausedMs);
  const running = lists?.flatMap(runningIn).length ?? 0;
  const count = running === 0 ? 'No campaign' : counted(running, 'campaign');
  const shown: [label: string, value: string | null][] = [];
  if (pausedMs > 0) shown.push(['Time paused', durationLabel(pausedMs)]);
  if (pausedMs > 0 && (lists === null || budgets !== null))
    shown.push(['Today’s budgets in that time', budgets && `about ${budgets}`]);
  if (lists === null || lists.length > 0)
    shown.push(['Running now', lists && [count, spendingLabel(lists)].filter(Boolean).join(', ')]);
  return (
    <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} verticalSpacing={4} my="sm" className="figures">
      {shown.map(([label, value]) => (
        <Flex
          key={label}
          gap="0 md"
          justify={{ base: 'space-between', sm: 'flex-start' }}
          align={{ base: 'baseline', sm: 'stretch' }}
          direction={{ base: 'row', sm: 'column' }}
        >
          <Muted component="dt" fz={13}>
            {label}
          </Muted>
          <Text component="dd" m={0} fz={{ base: 'md', sm: 20 }} fw={650} lh={1.35}>
            {value ?? <Skeleton component="span" display="block" h="1.35em" w={100} />}
          </Text>
        </Flex>
      ))}
    </SimpleGrid>
  );
}

/** Each ad account, where there are several. */
function Accounts({ lists }: { lists: readonly OwnList[] }) {
  const known = lists.filter(({ campaigns }) => campaigns !== undefined);
  const unread = lists.length - known.length;
  if (lists.length === 0) return <Muted mt="md">Meta shows no ad account for this Facebook login.</Muted>;
  return (
    <div className="figures" style={{ overflowWrap: 'anywhere' }}>
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
      {unread > 0 && <Muted mt="xs">{counted(unread, 'ad account')} couldn’t be read.</Muted>}
    </div>
  );
}
