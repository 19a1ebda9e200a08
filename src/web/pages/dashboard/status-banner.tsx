import { Alert, Group, Text } from '@mantine/core';
import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { AccessState } from '#core/platform-access.ts';
import { useUser } from '../../auth.tsx';
import { StatusShape } from '../../components/status-mark.tsx';
import { StatusTimes } from '../../components/status-times.tsx';
import { isMatched } from '../../text/campaign-view.ts';
import { ChooseCampaigns, ShowThem } from './list-links.tsx';
import type { OutageCopy } from './outage-copy.ts';
import { belowCopy, matchedCopy } from './outage-copy.ts';
import { Reconnect } from './reconnect.tsx';
import { TurnOnAllButton } from './turn-on-all-button.tsx';

interface StatusBannerProps {
  status: PlatformStatus;
  user: UserStatus | undefined;
  isInitialized: boolean;
}

/** For every status except UP: what it means for the user's campaigns. */
export function StatusBanner({ status, user, isInitialized }: StatusBannerProps) {
  const { access } = useUser();
  const { title, color, text, isUnprotected = false, needsLogin = false } = describe(status, user, access);
  return (
    <Alert role="note" color={color} title={title} icon={<StatusShape level={status.status} size={18} />}>
      <div>
        {text} {needsLogin && <Reconnect />} {isMatched(status, user) && <ShowThem user={user} />}
      </div>
      <Text fz="sm" mt={4} className="figures">
        {LEVEL_WORDS[status.status]} <StatusTimes status={status} />
        {statusSource(status)}
      </Text>
      {isInitialized && (
        <Group gap="sm" mt={isUnprotected ? 'xs' : 0}>
          {/* The checklist has the same button. */}
          {isUnprotected && user?.hasChosenCampaigns !== false && <TurnOnAllButton />}
          {isUnprotected && <ChooseCampaigns />}
        </Group>
      )}
    </Alert>
  );
}

/** Quotes Meta only with Meta's own text. */
function statusSource({ isOverridden, quote }: PlatformStatus): string | null {
  if (isOverridden === true) return ' · set by the SmartPause team';
  return quote === undefined ? null : ` · Meta says “${quote}”`;
}

interface StatusCopy extends Pick<OutageCopy, 'title' | 'text'>, Partial<OutageCopyFlags> {
  color: string;
}

type OutageCopyFlags = Pick<OutageCopy, 'isUnprotected' | 'needsLogin'>;

function describe(status: PlatformStatus, user: UserStatus | undefined, access: AccessState): StatusCopy {
  if (status.status === 'UNKNOWN') {
    return {
      title: 'Meta Status Unknown',
      color: 'gray',
      text: 'We can’t read Meta’s status right now. No new pauses start until we can. Paused campaigns stay paused until their scheduled resume.',
    };
  }
  if (user === undefined) {
    return {
      title: 'Meta Services Disruption Detected',
      color: 'blue',
      text: 'Your settings are still loading. They decide what this means for your campaigns.',
    };
  }
  if (isMatched(status, user)) return matchedCopy(user, access);
  return {
    title: 'Meta Services Disruption Detected',
    color: 'blue',
    text: belowCopy(user),
  };
}
