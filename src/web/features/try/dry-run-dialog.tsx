import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { tryApi } from '#contract/try-api.ts';
import { withClearNames } from '#core/clear-names.ts';
import { figure } from '#core/labels.ts';
import { call } from '../../lib/api-client.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { keys } from '../../lib/queries.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { isMatched } from '../campaigns/campaign-view.ts';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import type { DryRunGroup } from './dry-run-copy.ts';
import { dryRunGroups, dryRunSummary, unreadCopy } from './dry-run-copy.ts';
import classes from './try.module.css';

export interface TryDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** What SmartPause would do now; saves nothing and changes nothing on Meta. */
export function DryRunDialog({ opened, onClose }: TryDialogProps) {
  const query = useQuery({
    queryKey: ['dry-run'],
    queryFn: async ({ client }) => {
      const { accounts } = await call(tryApi.dryRun);
      // The server has just read the lists.
      void client.invalidateQueries({ queryKey: keys.allCampaigns });
      return withClearNames(accounts);
    },
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
  });
  const { data: accounts } = query;
  const isMatch = isMatched(usePlatformLevel(), useUserStatus().data);
  const summary =
    accounts === undefined ? 'Reading your campaigns from Meta…' : dryRunSummary(accounts, isMatch);
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title="What would happen now?" size="lg">
      <Stack gap="md" aria-busy={query.isFetching}>
        <Text role="status" fz="lg" fw={600} lh={1.35}>
          {!hasFailed(query) && summary}
        </Text>
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** More names would make the page slow, and a longer list is not read. */
const NAMED = 200;

function Reason({ group: { label, campaigns } }: { group: DryRunGroup }) {
  const more = campaigns.length - NAMED;
  return (
    <details className={classes.group}>
      <summary>
        {label}{' '}
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
