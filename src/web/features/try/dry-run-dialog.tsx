import { Box, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { tryApi } from '#contract/try-api.ts';
import { withClearNames } from '#core/clear-names.ts';
import { figure } from '#core/labels.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../lib/api-client.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { keys } from '../../lib/queries.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import { protectLabel, protectionOf } from '../campaigns/protection.ts';
import { useUnable } from '../campaigns/use-unable.ts';
import { TurnOnAllButton } from '../changes/all-accounts-buttons.tsx';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import type { DryRunGroup } from './dry-run-copy.ts';
import { dryRunGroups, dryRunSummary, unreadCopy } from './dry-run-copy.ts';
import classes from './try.module.css';

export interface TryDialogProps {
  opened: boolean;
  onClose: () => void;
}

function useDryRun(enabled: boolean) {
  return useQuery({
    queryKey: ['dry-run'],
    queryFn: async ({ client }) => {
      const { accounts } = await call(tryApi.dryRun);
      // The server has just read the lists.
      for (const queryKey of [keys.allCampaigns, keys.userStatus])
        void client.invalidateQueries({ queryKey });
      return withClearNames(accounts);
    },
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
}

/** What SmartPause would do now; saves nothing and changes nothing on Meta. */
export function DryRunDialog({ opened, onClose }: TryDialogProps) {
  const query = useDryRun(opened);
  const { data: accounts } = query;
  const isMatch = isMatched(usePlatformLevel(), useUserStatus().data);
  const { summary, risk } =
    accounts === undefined
      ? { summary: 'Reading your campaigns from Meta…', risk: null }
      : dryRunSummary(accounts, isMatch);
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title="What would happen now?" size="lg">
      <Stack gap="md" aria-busy={query.isFetching}>
        <Box role="status" fw={650}>
          <Text inherit fz={20} lh={1.35} style={{ textWrap: 'balance' }}>
            {!hasFailed(query) && summary}
          </Text>
          {risk !== null && (
            <Text inherit fz="sm" mt={4} c="var(--mantine-color-orange-light-color)" className="figures">
              {risk}
            </Text>
          )}
        </Box>
        <QueryContent
          query={query}
          data={accounts}
          failure="Your campaigns couldn’t be loaded."
          heights={[40, 40]}
        >
          {(read) => (
            <>
              {unreadCopy(read) !== null && <Text fz="sm">{unreadCopy(read)}</Text>}
              <div>
                {dryRunGroups(read).map((group) => (
                  <Reason key={group.label} group={group} />
                ))}
              </div>
              <Muted>Nothing was changed. A real outage follows the same rules.</Muted>
            </>
          )}
        </QueryContent>
        <Group justify="flex-end" gap="xs" mt={4}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {risk !== null && !isMatch && <ProtectButton onRead={onClose} />}
        </Group>
      </Stack>
    </Modal>
  );
}

/** That of the dashboard, which in a match has another one. */
function ProtectButton({ onRead }: { onRead: () => void }) {
  const unable = useUnable();
  const { data: user } = useUserStatus();
  if (unable !== null || user?.coverage === undefined) return null;
  const { open, protectedCount } = protectionOf(user.coverage, unable);
  if (open === 0) return null;
  return (
    <TurnOnAllButton variant="filled" onRead={onRead}>
      {protectLabel(open, protectedCount)}
    </TurnOnAllButton>
  );
}

/** More names would make the page slow, and a longer list is not read. */
const NAMED = 200;

/** A longer list would push the buttons away. */
const OPEN = 10;

function Reason({ group: { label, isRisk, campaigns } }: { group: DryRunGroup }) {
  const more = campaigns.length - NAMED;
  return (
    <details className={classes.group} open={isRisk && campaigns.length <= OPEN}>
      <summary>
        {`${label}\u00a0`}
        <Muted span className="figures">
          {figure(campaigns.length)}
        </Muted>
      </summary>
      <ul>
        {campaigns.slice(0, NAMED).map(({ id, name, at, account }) => (
          <li key={id}>
            {name}
            <Muted span>
              {at !== undefined && (
                <>
                  {' · '}
                  <Time at={at} />
                </>
              )}
              {account !== null && ` · ${account}`}
            </Muted>
          </li>
        ))}
        {more > 0 && <li>and {figure(more)} more</li>}
      </ul>
    </details>
  );
}
