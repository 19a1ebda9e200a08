import { Badge, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HistoryEntry } from '#contract/outage-api.ts';
import type { Campaign } from '#contract/shapes.ts';
import { clockTime } from '#core/new-york.ts';
import { spentLabel } from '#core/spend/words.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Time } from '../../components/time.tsx';
import { dayAndTime, recentDay } from '../../lib/exact-times.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { campaignsQuery, useAdAccounts } from '../../lib/queries.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { useNow } from '../../lib/use-now.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import {
  canResumeNow,
  isHeldByOther,
  isMatched,
  metaSays,
  outlookOf,
  statesOf,
} from '../campaigns/campaign-view.ts';
import { useUnable } from '../campaigns/use-unable.ts';
import { ChangeProvider, useChanges } from '../changes/change-provider.tsx';
import { useRetry } from '../changes/use-retry.ts';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import classes from './activity.module.css';
import { useCampaignHistory, useReadNow } from './api.ts';
import { KINDS, byCopy, heldCopy, untouchedCopy } from './outage-copy.ts';
import { useWhy } from './use-why.ts';

/** The history of the campaign that the address names. Stays rendered when it closes, so that the focus returns. */
export function Why() {
  const [wanted, show] = useWhy();
  const [campaignId, setCampaignId] = useState(wanted);
  if (wanted !== null && wanted !== campaignId) setCampaignId(wanted);
  return (
    <Drawer
      {...useDialogFocus(wanted !== null)}
      onClose={() => show(null)}
      position="right"
      size="min(100vw, 480px)"
      title={
        <Muted span fz={13} fw={400}>
          Why?
        </Muted>
      }
    >
      {campaignId !== null && (
        <ChangeProvider>
          <History key={campaignId} campaignId={campaignId} />
        </ChangeProvider>
      )}
    </Drawer>
  );
}

/** What happened to one campaign in the last 400 days, by whom and why. */
function History({ campaignId }: { campaignId: string }) {
  const query = useCampaignHistory(campaignId);
  useReadNow(campaignId);
  return (
    <QueryContent
      query={query}
      data={query.data}
      failure="The history couldn’t be loaded."
      heights={[28, 72, 72, 72]}
    >
      {({ pages }) => {
        const campaign = pages[0]?.campaign;
        if (campaign === undefined)
          return <Text role="status">This campaign isn’t in your ad accounts.</Text>;
        const entries = pages.flatMap((page) => page?.entries ?? []);
        return (
          <Stack gap="md">
            <div role="status">
              <Title order={3} fz="md" style={{ overflowWrap: 'anywhere' }}>
                <Name {...campaign} />
              </Title>
              <AccountName accountId={campaign.accountId} />
            </div>
            <Now {...campaign} />
            {entries.length === 0 && (
              <Muted>
                Nothing in your history yet. When SmartPause pauses or resumes this campaign for you, you see
                here when and why.
              </Muted>
            )}
            <ol className={classes.rows}>
              {entries.map((entry) => (
                <Entry key={entry.id} {...entry} />
              ))}
            </ol>
            <ShowMore query={query} end="That’s everything from the last 400 days." />
          </Stack>
        );
      }}
    </QueryContent>
  );
}

interface Shown {
  id: string;
  name: string;
  accountId: string;
}

/** As in the list of its ad account. */
function useListed({ id, accountId }: Shown) {
  return useQuery(campaignsQuery(accountId)).data?.campaigns.find((one) => one.id === id);
}

/** Where several campaigns have this name, with the id. */
function Name(shown: Shown) {
  return useListed(shown)?.name ?? shown.name;
}

function AccountName({ accountId }: Pick<Shown, 'accountId'>) {
  const account = useAdAccounts().data?.find(({ id }) => id === accountId);
  return account !== undefined && <Muted fz={13}>{account.name}</Muted>;
}

/** What holds now: when or why the campaign resumes, or what an outage would do with it. */
function Now(shown: Shown) {
  const campaign = useListed(shown);
  const { data: user } = useUserStatus();
  const now = useNow();
  if (campaign === undefined) return null;
  if (isHeldByOther(campaign))
    return (
      <Answer>
        Another user with access to this ad account has paused it with SmartPause. SmartPause resumes it.
      </Answer>
    );
  const { otherSchedule: schedule, refused, testUntil, leftOn } = campaign;
  // The row says it in the same words.
  if (refused !== undefined)
    return (
      <div ref={leaveFocusToList}>
        <Answer>
          {statesOf(campaign).join('; ')}. {metaSays(refused)}
        </Answer>
        <Retry campaign={campaign} />
      </div>
    );
  if (leftOn !== undefined || (testUntil !== undefined && campaign.status === 'PAUSED'))
    return <Answer>{statesOf(campaign).join('; ')}.</Answer>;
  if (campaign.notResumed !== undefined)
    return (
      <div ref={leaveFocusToList}>
        <Answer>{statesOf(campaign).join('; ')}. It stays paused until you resume it.</Answer>
        <ResumeNow campaign={campaign} accountId={shown.accountId} />
      </div>
    );
  // A fragment, so that the element below is removed and passes the focus on.
  if (campaign.held !== true)
    return (
      <>
        <Untouched campaign={campaign} accountId={shown.accountId} />
        {schedule !== undefined && <OtherSchedule {...schedule} />}
      </>
    );
  if (user === undefined) return null;
  const text = heldCopy(user, shown.accountId, now, campaign);
  return (
    <div ref={leaveFocusToList}>
      <Answer>{text}</Answer>
      {schedule !== undefined && <OtherSchedule {...schedule} />}
      <ResumeNow campaign={campaign} accountId={shown.accountId} />
    </div>
  );
}

const Answer = Text.withProps({ fz: 'lg', fw: 650, lh: 1.35, className: 'figures' });

interface OfRow {
  campaign: Campaign;
  accountId: string;
}

/** As the row has it. */
function Untouched({ campaign, accountId }: OfRow) {
  const account = useAdAccounts().data?.find(({ id }) => id === accountId);
  const isOn = campaign.smartPauseSetting === 'ON';
  const isAble = useUnable() === null;
  const { data: user } = useUserStatus();
  const about = { isOn, isAble, isMatched: isMatched(usePlatformLevel(), user) };
  const outlook = account === undefined ? null : outlookOf(campaign, account, about);
  return outlook !== null && <Answer>{untouchedCopy(outlook, user?.outageThreshold ?? null)}</Answer>;
}

/** As at the campaign's row: without our connection to Meta nothing is sent. */
function Retry({ campaign }: Pick<OfRow, 'campaign'>) {
  const { mutate, isPending } = useRetry(campaign);
  if (useUnable() === 'suspended') return null;
  return (
    <BusyButton size="sm" variant="default" mt="xs" isBusy={isPending} onClick={() => mutate()}>
      {isPending ? 'Retrying…' : 'Retry now'}
    </BusyButton>
  );
}

/** As at the campaign's row. */
function ResumeNow({ campaign, accountId }: OfRow) {
  const account = useAdAccounts().data?.find(({ id }) => id === accountId);
  const isSupported = useHasCapability('campaign_changes');
  const { allowed, change, pending } = useChanges();
  const isAble = useUnable() === null;
  const isInOutage = isMatched(usePlatformLevel(), useUserStatus().data);
  if (
    account === undefined ||
    !isSupported ||
    !allowed.includes('resume_now') ||
    !canResumeNow(campaign, isInOutage)
  )
    return null;
  const isBusy = pending.has(campaign.id) || campaign.pendingStatus !== undefined;
  return (
    <Group gap="4px 12px" mt="xs">
      <BusyButton
        size="sm"
        variant="default"
        isBusy={isBusy}
        onClick={() => change({ action: 'resume_now', targets: [{ account, campaign }], isOfRow: true })}
      >
        {isBusy ? 'Resuming…' : 'Resume now'}
      </BusyButton>
      {isAble && <Muted fz={13}>It stays protected for the next outage.</Muted>}
    </Group>
  );
}

/** The hours in which another tool has the campaign off. */
function OtherSchedule({ text, timeZone }: NonNullable<Campaign['otherSchedule']>) {
  const zone = timeZone.replaceAll('_', ' ');
  return (
    <Muted fz={13} mt={4}>
      {text}, in the ad account’s time zone ({zone}). A resume in these hours waits until 15 minutes after
      them.
    </Muted>
  );
}

/** The badge says it. */
const SAID = ['Paused this campaign.', 'Resumed this campaign.'];

function Entry({ at, kind, actor, user, message, reason, outageId, spent }: HistoryEntry) {
  const amount = spent === undefined ? null : spentLabel(spent);
  const { label, color } = KINDS[kind];
  const instant = Date.parse(at);
  const recent = recentDay(instant, useNow());
  const when =
    recent === 'Today' || recent === 'Yesterday' ? `${recent}, ${clockTime(instant)}` : dayAndTime(instant);
  const [first, second] = reason !== null && SAID.includes(message) ? [reason, null] : [message, reason];
  return (
    <Stack component="li" gap={4}>
      <Group gap="xs">
        <Badge color={color}>{label}</Badge>
        <Muted span className="figures">
          <Time at={instant}>{when}</Time>
        </Muted>
      </Group>
      <Text fz="sm" fw={550}>
        {first}
      </Text>
      {second !== null && <Text fz="sm">{second}</Text>}
      {amount !== null && <Text fz="sm">{amount}.</Text>}
      <Muted fz={13}>
        {byCopy({ kind, actor, user })}
        {outageId !== null && (
          <>
            {' · '}
            <TextLink to={`/activity/${outageId}`}>See the outage</TextLink>
          </>
        )}
      </Muted>
    </Stack>
  );
}
