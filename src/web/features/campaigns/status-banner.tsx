import { Alert, Group, Text } from '@mantine/core';
import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { AccessState } from '#core/platform-access.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { StatusShape } from '../status/status-mark.tsx';
import { StatusTimes } from '../status/status-times.tsx';
import { isMatched } from './campaign-view.ts';
import { leaveFocusToList } from './leave-focus.ts';
import { ChooseCampaigns, ShowThem } from './list-links.tsx';
import type { OutageCopy } from './outage-copy.ts';
import { belowCopy, matchedCopy, unknownCopy } from './outage-copy.ts';
import { Reconnect } from './reconnect.tsx';
import { TurnOnAllButton } from './turn-on-all-button.tsx';

interface StatusBannerProps {
  status: PlatformStatus;
  /** Known, unless the status is UNKNOWN. */
  user: UserStatus | undefined;
  isInitialized: boolean;
}

/** For every status except UP: what it means for the user's campaigns. */
export function StatusBanner({ status, user, isInitialized }: StatusBannerProps) {
  const { access } = useUser();
  const { title, color, text, isUnprotected = false, needsLogin = false } = describe(status, user, access);
  const hasHeld = isMatched(status, user) || status.status === 'UNKNOWN';
  return (
    <Alert role="note" color={color} title={title} icon={<StatusShape level={status.status} size={18} />}>
      <div>
        {text} {needsLogin && <Reconnect />} {hasHeld && <ShowThem user={user} />}
      </div>
      <Text fz="sm" mt={4} className="figures">
        {LEVEL_WORDS[status.status]} <StatusTimes status={status} />
        {statusSource(status)}
      </Text>
      {isInitialized && isUnprotected && (
        <Group ref={leaveFocusToList} gap="sm" mt="xs">
          {/* The checklist has the same button. */}
          {user?.hasChosenCampaigns !== false && <TurnOnAllButton />}
          <ChooseCampaigns />
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

type StatusCopy = Omit<OutageCopy, 'color' | 'isUnprotected' | 'needsLogin'> &
  Partial<Pick<OutageCopy, 'isUnprotected' | 'needsLogin'>> & { color: string };

function describe(status: PlatformStatus, user: UserStatus | undefined, access: AccessState): StatusCopy {
  if (status.status === 'UNKNOWN' || user === undefined)
    return { title: 'Meta Status Unknown', color: 'gray', text: unknownCopy(user) };
  if (isMatched(status, user)) return matchedCopy(user, access);
  return { title: 'Meta Services Disruption Detected', color: 'blue', text: belowCopy(user) };
}
