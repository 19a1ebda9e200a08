import { Alert, Group, Text } from '@mantine/core';
import { useIdle } from '@mantine/hooks';
import { memo, useState } from 'react';
import type { OutageSummary } from '#contract/outage-api.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import { asSentence } from '#core/outages/activity-text.ts';
import { keptLabel } from '#core/spend/words.ts';
import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';
import { BannerLink } from '../../components/links.ts';
import { clockSpan, recentDay } from '../../lib/exact-times.ts';
import { focusList } from '../../lib/focus-list.ts';
import { browserStorage } from '../../lib/storage.ts';
import { besideOwn } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOutages } from '../activity/api.ts';
import { outageResult } from '../activity/outage-copy.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import type { Disabled } from '../changes/all-accounts-buttons.tsx';
import { TurnOnAgainButton } from '../changes/all-accounts-buttons.tsx';
import { useChanges } from '../changes/change-provider.tsx';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';

/** The id of the last outage that the user dismissed in this browser. */
const KEY = 'dismissedOutage';

const SHOWN_FOR = days(7);

/** What the last outage meant for the user, for seven days. */
export const LastOutage = memo(function LastOutage() {
  const { data: user } = useUserStatus();
  const level = usePlatformLevel();
  // Live updates of an outage would read all outages again and again.
  const mayShow = user !== undefined && !isMatched(level, user);
  const { data } = useOutages(undefined, mayShow);
  const now = useNow();
  const [dismissed, setDismissed] = useState(() => browserStorage.read(KEY));
  const outage = data?.pages[0]?.outages[0];
  const disabled = data?.pages[0]?.disabled ?? [];
  const isDue =
    mayShow &&
    outage !== undefined &&
    outage.id !== dismissed &&
    isToldOnDashboard(outage, user.resumeAt, now);
  // It pushes the list down, so it waits until the user rests (UX-04).
  const isIdle = useIdle(seconds(10));
  const [mayAppear, setMayAppear] = useState(false);
  if (isDue && isIdle && !mayAppear) setMayAppear(true);
  if (!isDue || !mayAppear) return null;
  return (
    <Alert
      role="note"
      color="gray"
      title="Last outage"
      withCloseButton
      closeButtonLabel="Hide last outage"
      onClose={() => {
        browserStorage.write(KEY, outage.id);
        setDismissed(outage.id);
        focusList();
      }}
    >
      {lastOutageCopy(outage, now)}{' '}
      <BannerLink to={`/activity/${outage.id}`} style={{ whiteSpace: 'nowrap' }}>
        See what happened
      </BannerLink>
      <Kept outage={outage} />
      {disabled.length > 0 && <LostProtection disabled={disabled} />}
    </Alert>
  );
});

/** Once it is known. */
function Kept({ outage: { id, kept = [] } }: { outage: OutageSummary }) {
  const label = keptLabel(kept);
  if (label === '') return null;
  return (
    <Text inherit mt={4}>
      {asSentence(label)}{' '}
      <BannerLink to={`/activity/${id}#spend`} style={{ whiteSpace: 'nowrap' }}>
        How this is estimated
      </BannerLink>
    </Text>
  );
}

/** Changes outside SmartPause in the outage or since have disabled it for these campaigns. */
function LostProtection({ disabled }: { disabled: readonly Disabled[] }) {
  return (
    <Group gap="sm" mt="xs">
      <Text inherit fw={600}>
        {`${counted(disabled.length, 'campaign')} lost protection after changes outside SmartPause.`}
      </Text>
      {useChanges().allowed.includes('on') && <TurnOnAgainButton disabled={disabled} />}
    </Group>
  );
}

/** Not while it lasts or a resume is scheduled: the banners tell that. Not for a user who was not set up then. */
export function isToldOnDashboard(outage: OutageSummary, resumeAt: string | null, now: Instant): boolean {
  const { endedAt, threshold } = outage;
  if (threshold === null || endedAt === null || resumeAt !== null) return false;
  return now - Date.parse(endedAt) < SHOWN_FOR;
}

/** 'Yesterday, 9:10 PM – 11:08 PM EST, high disruption: 12 campaigns paused within 14 s of detection, all resumed.' */
export function lastOutageCopy(outage: OutageSummary, now: Instant): string {
  const start = Date.parse(outage.startedAt);
  const end = outage.endedAt === null ? now : Date.parse(outage.endedAt);
  const level = LEVEL_WORDS[outage.peak].toLowerCase();
  const time = `${clockSpan(start, end)}${besideOwn(start, end)}`;
  return `${recentDay(start, now)}, ${time}, ${level}: ${outageResult(outage)}`;
}
